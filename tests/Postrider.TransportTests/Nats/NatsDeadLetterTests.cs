using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.JetStream.Models;
using Postrider.Envelopes;
using Postrider.Transport.Nats;
using Postrider.Transports;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.Nats;

/// <summary>Dead letters at the limit of what the server accepts.</summary>
public sealed class NatsDeadLetterTests : IAsyncLifetime
{
    private const int MaxPayload = 64 * 1024;

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-dead-letters-");
    private NatsBroker _broker = null!;
    private NatsClient _client = null!;
    private NatsStreamTransport _transport = null!;

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public async ValueTask InitializeAsync()
    {
        _broker = await NatsBroker.StartAsync(new BrokerOptions { Listen = false, MaxPayloadBytes = MaxPayload, JetStream = new() { StoreDirectory = _folder.FullName } }, Ct);
        _client = await NatsClient.ConnectAsync(new ClientOptions { Connector = _broker.Connector }, Ct);
        await _client.CreateJetStreamContext().CreateStreamAsync(new StreamConfig { Name = "orders", Subjects = ["orders", "orders.dead"], Storage = StreamStorage.Memory }, ct: Ct);
        _transport = new NatsStreamTransport(_client);
    }

    public async ValueTask DisposeAsync()
    {
        await _transport.DisposeAsync();
        await _client.DisposeAsync();
        await _broker.DisposeAsync();
        _folder.Delete(recursive: true);
    }

    [Fact]
    public async Task Message_without_room_for_the_description_of_its_failure_becomes_a_dead_letter_without_it()
    {
        var body = new byte[MaxPayload - 512];
        Random.Shared.NextBytes(body);
        var isWell = false;
        var handled = new TaskCompletionSource<byte[]>();
        await using var listener = await _transport.ListenAsync(
            new DurableBinding("orders") { Consumer = "worker", DeadLetter = "orders.dead", Retry = TransportHarness.Quick with { MaxAttempts = 1 } },
            (envelope, _) =>
            {
                if (!isWell)
                    throw new InvalidOperationException(new string('x', 1_000));
                handled.SetResult(envelope.Body.ToArray());
                return default;
            },
            Ct);

        await _transport.OpenSender("orders").SendAsync(default, body, Ct);
        var letters = _transport.OpenDeadLetters("orders.dead");
        var letter = await Eventually.GivesAsync(async () => await letters.ListAsync(DeadLetterQuery.All, Ct).FirstOrDefaultAsync(Ct));
        isWell = true;
        var count = await letters.RedriveAsync(DeadLetterQuery.All, Ct);

        Assert.Equal((DeadLetterReason.Exhausted, "orders", "orders", "worker", null), (letter.Reason, letter.Origin, letter.Headers[DeadLetterHeaders.Stream], letter.Headers[DeadLetterHeaders.Consumer], letter.Error));
        Assert.Equal(1, count);
        Assert.Equal(body, await handled.Task.WaitAsync(Ct));
        Assert.Empty(await letters.ListAsync(DeadLetterQuery.All, Ct).ToListAsync(Ct));
    }
}
