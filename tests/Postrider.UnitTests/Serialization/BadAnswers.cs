using System.Buffers;
using Postrider.Rpc;
using Postrider.Serialization;

namespace Postrider.UnitTests.Serialization;

/// <summary>Another codec whose every message is written as the same bytes.</summary>
internal sealed class BadAnswers(RpcCodec codec, byte[] sent) : RpcCodec(codec.Serializers)
{
    public override Serializer<RpcArguments<TFirst, TRest>> Combine<TFirst, TRest>(string name, Serializer<TFirst> first, Serializer<TRest> rest)
        => throw new NotSupportedException("The operations of this codec have one parameter.");

    protected override Serializer<T> Find<T>() => new Fixed<T>(codec.GetFormatter<T>().Serializer, sent);

    private sealed class Fixed<T>(Serializer<T> serializer, byte[] sent) : Serializer<T>
    {
        public override string ContentType => serializer.ContentType;

        public override void Write(IBufferWriter<byte> output, T value) => output.Write(sent);

        public override T Read(ReadOnlySpan<byte> input) => serializer.Read(input);
    }
}
