using Microsoft.Extensions.DependencyInjection;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Envelopes;
using Postrider.Rpc;
using Postrider.Serialization;
using Postrider.Transports;

namespace Postrider.UnitTests.Serialization;

/// <summary>What every format of messages has to hold besides: bytes that are no message have a clear error.</summary>
/// <typeparam name="T">The message, which its handler answers with.</typeparam>
public abstract class MessageContract<T> : SerializerContract<T>
    where T : class, IRequest<T>
{
    /// <summary>Bytes that are not a message.</summary>
    protected abstract byte[] Bad { get; }

    [Fact]
    public async Task Answer_that_is_not_a_message_names_type_and_content_type_in_an_envelope()
    {
        await using var transport = new InMemoryTransport();
        await using var listener = await transport.ListenAsync(
            new TransportBinding("letters"),
            (envelope, _) => new(new Envelope { Destination = envelope.ReplyTo!, Headers = { { HeaderNames.ContentType, Serializers.ContentType } }, Body = Bad }),
            Ct);
        await using var provider = Routed(transport);

        var failure = await Assert.ThrowsAsync<PostriderException>(async () => await provider.GetRequiredService<IDispatcher>().SendAsync((IRequest<T>)Full, Ct));

        Assert.Equal(PostriderError.Codec, failure.Error);
        AssertNames(failure);
    }

    [Fact]
    public async Task Message_that_is_not_one_is_rejected_in_an_envelope_without_the_names_of_types()
    {
        await using var transport = new InMemoryTransport();
        await using var provider = Routed(transport);
        await using var pump = new MessagePump(transport, Serializers, provider).Request<T, T>(new TransportBinding("letters"));
        await pump.StartAsync(Ct);

        var answer = await transport.RequestAsync(
            new Envelope { Destination = "letters", Headers = { { HeaderNames.ContentType, Serializers.ContentType } }, Body = Bad }, Ct);

        Assert.Equal(
            ("Codec", $"The body is not a valid message ({Serializers.ContentType})."),
            (answer.Headers[HeaderNames.ErrorCode], answer.Headers[HeaderNames.Error]));
    }

    [Fact]
    public async Task Payload_that_is_not_a_message_names_type_and_content_type()
    {
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions { Listen = false }, Ct);
        await using var client = await ConnectAsync(broker);
        await using var subscription = client.Subscribe<T>("letters");

        await client.PublishAsync("letters", Bad, ct: Ct);
        var received = await subscription.ReadAsync(Ct);

        var failure = Assert.Throws<NatsClientException>(() => received.Data);
        Assert.Equal(NatsErrorCode.PayloadUnreadable, failure.Code);
        AssertNames(failure);
    }

    [Fact]
    public async Task Answer_of_a_call_that_is_not_a_message_names_type_and_content_type_in_its_cause()
    {
        var failure = await Assert.ThrowsAsync<RpcException>(() => CallAsync(Full, new BadAnswers(Codec, Bad)));

        Assert.Equal(RpcStatus.InvalidData, failure.Status);
        AssertNames(Assert.IsType<SerializerException>(failure.InnerException));
        Assert.DoesNotContain(typeof(T).FullName!, failure.Message, StringComparison.Ordinal);
    }

    protected override async Task<T> DispatchAsync(T message)
    {
        await using var transport = new InMemoryTransport();
        await using var provider = Routed(transport);
        await using var pump = new MessagePump(transport, Serializers, provider).Request<T, T>(new TransportBinding("letters"));
        await pump.StartAsync(Ct);
        return await provider.GetRequiredService<IDispatcher>().SendAsync((IRequest<T>)message, Ct);
    }

    private void AssertNames(Exception failure)
    {
        Assert.Contains(typeof(T).FullName!, failure.Message, StringComparison.Ordinal);
        Assert.Contains(Serializers.ContentType, failure.Message, StringComparison.Ordinal);
    }

    private ServiceProvider Routed(InMemoryTransport transport)
        => new ServiceCollection().AddPostrider(options => options.Route<T, T>(_ => transport, Serializers, "letters")).BuildServiceProvider();
}
