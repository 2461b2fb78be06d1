using Microsoft.Extensions.Diagnostics.HealthChecks;
using Postrider.Envelopes;
using Postrider.Transport.Kafka;
using Postrider.Transports;

namespace Postrider.TransportTests.Kafka;

/// <summary>The login of Event Hubs, at a listener with TLS that rejects every account.</summary>
public sealed class KafkaLoginTests : IDisposable
{
    private const string Hubs = "Endpoint=sb://shop.servicebus.windows.net/;SharedAccessKeyName=all;SharedAccessKey=c2VjcmV0";

    private readonly TestCertificates _certificates = new();

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public void Dispose() => _certificates.Dispose();

    [Fact]
    public async Task Case_46_rejected_account_is_said_by_send_listener_and_health_without_its_key()
    {
        await using var listener = new SaslListener(_certificates.Server);
        await using var transport = new KafkaTransport(Options(listener.Port, _certificates.CaFile));

        var refused = await Assert.ThrowsAsync<PostriderException>(async () => await transport.SendAsync(new Envelope { Destination = "orders" }, Ct));
        var account = await listener.FirstAccount.WaitAsync(TimeSpan.FromSeconds(30), Ct);
        var health = await transport.CheckHealthAsync(Ct);
        var unheard = await Assert.ThrowsAsync<PostriderException>(async () => await transport.ListenAsync(new KafkaBinding("orders") { Group = "g" }, static (_, _) => default, Ct));

        Assert.Equal(("$ConnectionString", Hubs), account);
        Assert.Equal((PostriderError.Configuration, PostriderError.Configuration, HealthStatus.Unhealthy), (refused.Error, unheard.Error, health.Status));
        Assert.All([refused.Message, unheard.Message, health.Description!], static text =>
        {
            Assert.Contains("rejects the account", text, StringComparison.Ordinal);
            Assert.DoesNotContain("c2VjcmV0", text, StringComparison.Ordinal);
        });
    }

    [Fact]
    public async Task Server_with_a_certificate_of_another_authority_gets_no_account()
    {
        using var others = new TestCertificates("Another authority");
        await using var listener = new SaslListener(_certificates.Server);
        await using var transport = new KafkaTransport(Options(listener.Port, others.CaFile));

        var refused = await Assert.ThrowsAsync<PostriderException>(async () => await transport.SendAsync(new Envelope { Destination = "orders" }, Ct));

        Assert.Contains("not trusted", refused.Message, StringComparison.Ordinal);
        Assert.False(listener.FirstAccount.IsCompleted);
    }

    private static KafkaOptions Options(int port, string authority)
    {
        var options = new KafkaOptions { Security = { CaFile = authority } }.UseEventHubs(Hubs);
        options.Servers = $"127.0.0.1:{port}";
        options.Retry.SendTimeout = TimeSpan.FromSeconds(2);
        options.Retry.UnknownTopicWait = TimeSpan.FromSeconds(1);
        options.Retry.MaxPause = TimeSpan.FromMilliseconds(100);
        options.Observability.ProbeTimeout = TimeSpan.FromSeconds(2);
        return options;
    }
}
