using System.Buffers;
using System.Security.Cryptography;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Rpc;
using Postrider.Rpc.Sockets;
using Postrider.Serialization;
using Postrider.UnitTests.Rpc.Sockets;

namespace Postrider.UnitTests.Serialization;

/// <summary>What every format has to hold where messages become bytes: in an envelope of the dispatcher, in a payload of the NATS client
/// and in a call of Rpc.</summary>
/// <typeparam name="T">The message.</typeparam>
public abstract class SerializerContract<T>
    where T : class
{
    protected const string Envelope = "envelope";
    protected const string Payload = "payload";
    protected const string Call = "call";

    protected const int MiB = 1024 * 1024;

    protected static CancellationToken Ct => TestContext.Current.CancellationToken;

    /// <summary>The format.</summary>
    protected abstract ISerializerProvider Serializers { get; }

    /// <summary>The format as Rpc's codec.</summary>
    protected abstract RpcCodec Codec { get; }

    /// <summary>A message with all that it may have.</summary>
    protected abstract T Full { get; }

    /// <summary>A message without anything.</summary>
    protected abstract T Empty { get; }

    /// <summary>Creates a message with bytes in it.</summary>
    protected abstract T With(byte[] content);

    [Theory]
    [InlineData(Envelope)]
    [InlineData(Payload)]
    [InlineData(Call)]
    public async Task Full_message_arrives_as_it_was_sent(string place) => AssertSame(Full, await SendAsync(place, Full));

    [Theory]
    [InlineData(Envelope)]
    [InlineData(Payload)]
    [InlineData(Call)]
    public async Task Empty_message_arrives_as_it_was_sent(string place) => AssertSame(Empty, await SendAsync(place, Empty));

    [Theory]
    [InlineData(Envelope)]
    [InlineData(Payload)]
    [InlineData(Call)]
    public async Task Message_of_one_mebibyte_arrives_as_it_was_sent(string place)
    {
        var large = With(RandomNumberGenerator.GetBytes(MiB));

        AssertSame(large, await SendAsync(place, large));
    }

    [Fact]
    public async Task Two_parameters_of_a_call_arrive_as_they_were_sent()
    {
        var operation = new Operation<RpcArguments<T, RpcArguments<T, Unit>>, Unit, T>(
            "letters", "Second", OperationKind.Unary, SpecialParameters.None,
            static codec => codec.Combine("first", codec.GetFormatter<T>(), codec.Combine("second", codec.GetFormatter<T>(), codec.GetFormatter<Unit>())));
        var endpoint = new OperationEndpoint<RpcArguments<T, RpcArguments<T, Unit>>, Unit, T>(operation, static (request, _, _, _) => new(request.Rest.First));
        await using var server = new ConnectionServer([Codec], [new RpcService("letters", "1.0.0", endpoint)], new SocketServerOptions());
        await using var channel = new SocketChannel(new MemoryFrameTransports(server), Codec, new SocketChannelOptions());

        var second = await channel.Bind(operation).CallAsync(new(Empty, new(Full, default)), null, null, Ct);

        AssertSame(Full, second);
    }

    [Fact]
    public void Message_in_any_two_segments_is_read_the_same()
    {
        var serializer = Serializers.Get<T>();
        var bytes = Bytes(serializer, Full);

        Assert.All(Enumerable.Range(1, bytes.Length - 1), cut => AssertSame(Full, serializer.Read(MessagePack.BadInputTests.Segments(bytes, cut))));
    }

    [Fact]
    public void Format_accepts_the_content_type_that_it_writes()
        => Assert.True(Serializers.Accepts(Serializers.Get<T>().ContentType));

    protected static byte[] Bytes<TValue>(Serializer<TValue> serializer, TValue value)
    {
        var output = new ArrayBufferWriter<byte>();
        serializer.Write(output, value);
        return output.WrittenSpan.ToArray();
    }

    protected abstract void AssertSame(T expected, T actual);

    /// <summary>Sends a message along a route of the dispatcher to a handler that answers with it.</summary>
    protected abstract Task<T> DispatchAsync(T message);

    /// <summary>Publishes a message to a subscription in the same process.</summary>
    protected async Task<T> PublishAsync(T message)
    {
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions { Listen = false, MaxPayloadBytes = 4 * MiB }, Ct);
        await using var client = await ConnectAsync(broker);
        await using var subscription = client.Subscribe<T>("letters");

        await client.PublishAsync("letters", message, ct: Ct);

        return (await subscription.ReadAsync(Ct)).Data;
    }

    /// <summary>Calls an operation that answers with its message, over a connection in the same process.</summary>
    /// <param name="message">The message.</param>
    /// <param name="served">The codec of the server.</param>
    protected async Task<T> CallAsync(T message, RpcCodec served)
    {
        var operation = new Operation<T, Unit, T>("letters", "Echo", OperationKind.Unary, SpecialParameters.None, static codec => codec.GetFormatter<T>());
        var endpoint = new OperationEndpoint<T, Unit, T>(operation, static (request, _, _, _) => new(request));
        await using var server = new ConnectionServer([served], [new RpcService("letters", "1.0.0", endpoint)], new SocketServerOptions());
        await using var channel = new SocketChannel(new MemoryFrameTransports(server), Codec, new SocketChannelOptions());
        return await channel.Bind(operation).CallAsync(message, null, null, Ct);
    }

    protected async Task<NatsClient> ConnectAsync(NatsBroker broker)
        => await NatsClient.ConnectAsync(new ClientOptions { Connector = broker.Connector, Serializers = Serializers }, Ct);

    private Task<T> SendAsync(string place, T message) => place switch
    {
        Envelope => DispatchAsync(message),
        Payload => PublishAsync(message),
        _ => CallAsync(message, Codec),
    };
}
