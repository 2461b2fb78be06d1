using System.Text;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Envelopes;
using Postrider.Transport.Nats;
using Postrider.Transports;

namespace Postrider.UnitTests.Transport.Nats;

public sealed class NatsTransportTests : IAsyncLifetime
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(10);

    private readonly CancellationToken _ct = new CancellationTokenSource(Limit).Token;
    private NatsBroker _broker = null!;

    private ClientOptions Options => new() { Connector = _broker.Connector };

    public async ValueTask InitializeAsync() => _broker = await NatsBroker.StartAsync(new BrokerOptions { Listen = false }, _ct);

    public ValueTask DisposeAsync() => _broker.DisposeAsync();

    [Fact]
    public async Task Request_reaches_the_listener_and_its_answer_comes_back_with_headers()
    {
        await using var client = await NatsClient.ConnectAsync(Options, _ct);
        await using var transport = new NatsTransport(client);
        await using var listener = await transport.ListenAsync(
            new TransportBinding("transport.*") { Group = "g" },
            (envelope, _) => ValueTask.FromResult<Envelope?>(new Envelope
            {
                Destination = envelope.ReplyTo!,
                Headers = { { "Heard", envelope.Headers["Said"]! } },
                Body = Encoding.UTF8.GetBytes($"{envelope.Destination}: {Encoding.UTF8.GetString(envelope.Body.Span)}"),
            }),
            _ct);

        var answer = await transport.RequestAsync(
            new Envelope { Destination = "transport.one", Headers = { { "Said", "hello" } }, Body = "body"u8.ToArray() }, _ct);

        Assert.Equal("transport.one: body", Encoding.UTF8.GetString(answer.Body.Span));
        Assert.Equal("hello", answer.Headers["Heard"]);
    }

    [Fact]
    public async Task Destination_without_listener_is_told_at_once()
    {
        await using var client = await NatsClient.ConnectAsync(Options, _ct);
        await using var transport = new NatsTransport(client);

        var error = await Assert.ThrowsAsync<PostriderException>(async () => await transport.RequestAsync(new Envelope { Destination = "transport.nobody" }, _ct));

        Assert.Equal(PostriderError.NoListener, error.Error);
    }

    [Fact]
    public async Task Error_is_readable_for_clients_of_services_and_theirs_for_us()
    {
        await using var client = await NatsClient.ConnectAsync(Options, _ct);
        await using var transport = new NatsTransport(client);
        await using var listener = await transport.ListenAsync(
            new TransportBinding("transport.fails"),
            static (envelope, _) => ValueTask.FromResult<Envelope?>(new Envelope
            {
                Destination = envelope.ReplyTo!,
                Headers = { { HeaderNames.Error, "no such order" }, { HeaderNames.ErrorCode, "Refused" } },
            }),
            _ct);
        await using var service = client.Subscribe<string>("service.fails", static (message, ct) =>
            message.ReplyAsync(new Postrider.Client.NatsHeaders { ["Nats-Service-Error"] = "busy", ["Nats-Service-Error-Code"] = "429" }, ct));

        var ours = await client.RequestAsync<string, ReadOnlyMemory<byte>>("transport.fails", "x", ct: _ct);
        var theirs = await transport.RequestAsync(new Envelope { Destination = "service.fails" }, _ct);

        Assert.Equal("no such order", ours.Headers!["Nats-Service-Error"]);
        Assert.Equal("403", ours.Headers["Nats-Service-Error-Code"]);
        Assert.Equal("busy", theirs.Headers[HeaderNames.Error]);
        Assert.Equal("429", theirs.Headers[HeaderNames.ErrorCode]);
    }

    [Fact]
    public async Task Disposed_listener_has_finished_what_it_took()
    {
        await using var client = await NatsClient.ConnectAsync(Options, _ct);
        await using var transport = new NatsTransport(client);
        var handled = 0;
        var listener = await transport.ListenAsync(
            new TransportBinding("transport.slow") { MaxConcurrency = 4 },
            async (_, ct) =>
            {
                await Task.Delay(20, ct);
                Interlocked.Increment(ref handled);
                return null;
            },
            _ct);
        for (var i = 0; i < 20; i++) await transport.SendAsync(new Envelope { Destination = "transport.slow" }, _ct);
        await client.FlushAsync(_ct);

        await listener.DisposeAsync();

        Assert.Equal(20, handled);
    }

    [Fact]
    public async Task Transport_of_its_own_client_closes_it()
    {
        var transport = await NatsTransport.ConnectAsync(Options, _ct);

        await transport.DisposeAsync();

        var failure = await Assert.ThrowsAsync<PostriderException>(async () => await transport.SendAsync(new Envelope { Destination = "x" }, _ct));

        Assert.Equal("Message to 'x': The client is closed.", failure.Message);
        Assert.IsType<Postrider.Client.NatsClientException>(failure.InnerException);
    }
}
