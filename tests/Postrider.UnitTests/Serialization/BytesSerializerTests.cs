using Microsoft.Extensions.DependencyInjection;
using Postrider.Rpc;
using Postrider.Serialization;
using Postrider.Transports;

namespace Postrider.UnitTests.Serialization;

public sealed class BytesSerializerTests : SerializerContract<byte[]>
{
    protected override ISerializerProvider Serializers => BytesSerializerProvider.Instance;

    protected override RpcCodec Codec { get; } = new RpcBytesCodec(new RpcJsonCodec());

    protected override byte[] Full => [0, 127, 128, 255];

    protected override byte[] Empty => [];

    protected override byte[] With(byte[] content) => content;

    protected override void AssertSame(byte[] expected, byte[] actual) => Assert.Equal(expected, actual);

    // Bytes are no message of the dispatcher's, but they may be an answer.
    protected override async Task<byte[]> DispatchAsync(byte[] message)
    {
        var serializers = new SerializerSet(BytesSerializerProvider.Instance, new JsonSerializerProvider(LetterJson.Default));
        await using var transport = new InMemoryTransport();
        await using var provider = new ServiceCollection()
            .AddPostrider(options => options.Route<FetchBytes, byte[]>(_ => transport, serializers, "bytes")).BuildServiceProvider();
        await using var pump = new MessagePump(transport, serializers, provider).Request<FetchBytes, byte[]>(new TransportBinding("bytes"));
        await pump.StartAsync(Ct);

        // Through an interface, so that the call is not compiled to one of the handler.
        IQuery<byte[]> query = new FetchBytes(message);
        return await provider.GetRequiredService<IDispatcher>().SendAsync(query, Ct);
    }
}
