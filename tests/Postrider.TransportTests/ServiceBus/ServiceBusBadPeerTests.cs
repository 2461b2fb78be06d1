using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Postrider.Transport.ServiceBus;
using Postrider.TransportTests.ServiceBus.StandIn;

namespace Postrider.TransportTests.ServiceBus;

/// <summary>Servers that do not answer as AMQP 1.0 has it: the send fails, the health is not good, and nothing hangs.</summary>
public sealed class ServiceBusBadPeerTests
{
    private static readonly byte[] s_sasl = [(byte)'A', (byte)'M', (byte)'Q', (byte)'P', 3, 1, 0, 0];
    private static readonly byte[] s_amqp = [(byte)'A', (byte)'M', (byte)'Q', (byte)'P', 0, 1, 0, 0];

    // sasl-mechanisms with ANONYMOUS, and sasl-outcome ok.
    private static readonly byte[] s_mechanisms = Frame(1, [0x00, 0x53, 0x40, 0xC0, 0x0C, 0x01, 0xA3, 0x09, .. "ANONYMOUS"u8]);
    private static readonly byte[] s_welcome = Frame(1, [0x00, 0x53, 0x44, 0xC0, 0x03, 0x01, 0x50, 0x00]);

    public static TheoryData<string, byte[]> Answers => new()
    {
        { "nothing, and closed", [] },
        { "HTTP", "HTTP/1.1 400 Bad Request\r\n\r\n"u8.ToArray() },
        { "another protocol version", [(byte)'A', (byte)'M', (byte)'Q', (byte)'P', 0, 0, 9, 1] },
        { "half a header", s_sasl[..5] },
        { "no mechanisms", [.. s_sasl, .. Frame(1, [0x00, 0x53, 0x40, 0x45])] },
        { "frame of 4 GiB", [.. s_sasl, 0xFF, 0xFF, 0xFF, 0xFF, 2, 1, 0, 0] },
        { "frame of 3 bytes", [.. s_sasl, 0, 0, 0, 3, 2, 1, 0, 0] },
        { "list cut in the middle", [.. s_sasl, .. Frame(1, [0x00, 0x53, 0x40, 0xC0, 0x0C])] },
        { "rejected", [.. s_sasl, .. s_mechanisms, .. Frame(1, [0x00, 0x53, 0x44, 0xC0, 0x03, 0x01, 0x50, 0x01])] },
        { "open with an unknown constructor", [.. s_sasl, .. s_mechanisms, .. s_welcome, .. s_amqp, .. Frame(0, [0x00, 0x53, 0x10, 0xC0, 0x03, 0x01, 0x0F, 0x00])] },
        { "open with a list that is longer than its frame", [.. s_sasl, .. s_mechanisms, .. s_welcome, .. s_amqp, .. Frame(0, [0x00, 0x53, 0x10, 0xD0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])] },
        { "flow before open", [.. s_sasl, .. s_mechanisms, .. s_welcome, .. s_amqp, .. Frame(0, [0x00, 0x53, 0x13, 0x45])] },
        { "close at once", [.. s_sasl, .. s_mechanisms, .. s_welcome, .. s_amqp, .. Frame(0, [0x00, 0x53, 0x10, 0xC0, 0x04, 0x01, 0xA1, 0x01, (byte)'x']), .. Frame(0, [0x00, 0x53, 0x18, 0x45])] },
    };

    [Theory]
    [MemberData(nameof(Answers))]
    public async Task Send_fails_and_health_is_not_good(string name, byte[] answer)
    {
        var ct = TestContext.Current.CancellationToken;
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        using var end = CancellationTokenSource.CreateLinkedTokenSource(ct);
        var serving = ServeAsync(listener, answer, end.Token);
        var transport = new ServiceBusTransport(new ServiceBusOptions
        {
            ConnectionString = $"Endpoint=sb://127.0.0.1:{((IPEndPoint)listener.LocalEndpoint).Port}/;SharedAccessKeyName=all;SharedAccessKey={StandInTokens.Key};UseDevelopmentEmulator=true",
            Retry = new() { SendAttempts = 1, AnswerTimeout = TimeSpan.FromSeconds(1) },
            Observability = new() { ProbeTimeout = TimeSpan.FromSeconds(1) },
        });

        var failure = await Record.ExceptionAsync(async () => await transport.OpenSender("orders").SendAsync(default, "x"u8.ToArray(), ct).AsTask().WaitAsync(TimeSpan.FromSeconds(30), ct));
        var health = await transport.CheckHealthAsync(ct).AsTask().WaitAsync(TimeSpan.FromSeconds(30), ct);
        await transport.DisposeAsync().AsTask().WaitAsync(TimeSpan.FromSeconds(30), ct);

        Assert.True(failure is not null, name);
        Assert.True(health.Status != HealthStatus.Healthy && health.Description!.Contains("127.0.0.1", StringComparison.Ordinal), $"{name}: {health.Description}");
        Assert.DoesNotContain(StandInTokens.Key, failure.ToString() + health.Description, StringComparison.Ordinal);
        await end.CancelAsync();
        await serving;
    }

    private static byte[] Frame(byte type, byte[] body)
    {
        var size = 8 + body.Length;
        return [0, 0, (byte)(size >> 8), (byte)size, 2, type, 0, 0, .. body];
    }

    private static async Task ServeAsync(TcpListener listener, byte[] answer, CancellationToken ct)
    {
        try
        {
            while (true)
            {
                using var client = await listener.AcceptTcpClientAsync(ct);
                var received = new byte[1024];
                try
                {
                    // The client speaks first, and is answered with everything at once.
                    await client.GetStream().ReadAtLeastAsync(received, 1, throwOnEndOfStream: false, ct);
                    await client.GetStream().WriteAsync(answer, ct);
                    if (answer.Length > 0)
                        await client.GetStream().ReadAtLeastAsync(received, 1, throwOnEndOfStream: false, ct);
                }
                catch (IOException)
                {
                    // It has gone.
                }
            }
        }
        catch (OperationCanceledException)
        {
            // The test has ended.
        }
    }
}
