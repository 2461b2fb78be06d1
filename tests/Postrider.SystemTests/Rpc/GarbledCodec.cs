using System.Buffers;
using Postrider.Rpc;
using Postrider.Serialization;

namespace Postrider.SystemTests.Rpc;

/// <summary>Another codec whose every message there is the same bytes; answers are read as that codec reads them.</summary>
internal sealed class GarbledCodec(RpcCodec codec, byte[] sent) : RpcCodec(codec.Serializers)
{
    public override Serializer<RpcArguments<TFirst, TRest>> Combine<TFirst, TRest>(string name, Serializer<TFirst> first, Serializer<TRest> rest)
        => new Garbled<RpcArguments<TFirst, TRest>>(codec.Combine(name, Inner(first), Inner(rest)), sent);

    protected override Serializer<T> Find<T>() => new Garbled<T>(codec.GetFormatter<T>().Serializer, sent);

    private static Serializer<T> Inner<T>(Serializer<T> serializer) => serializer is Garbled<T> garbled ? garbled.Serializer : serializer;

    private sealed class Garbled<T>(Serializer<T> serializer, byte[] sent) : Serializer<T>
    {
        public Serializer<T> Serializer => serializer;

        public override string ContentType => serializer.ContentType;

        public override void Write(IBufferWriter<byte> output, T value) => output.Write(sent);

        public override T Read(ReadOnlySpan<byte> input) => serializer.Read(input);
    }
}
