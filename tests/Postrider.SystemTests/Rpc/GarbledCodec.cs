using System.Buffers;
using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

/// <summary>Another codec whose every message there is the same bytes; answers are read as that codec reads them.</summary>
internal sealed class GarbledCodec(RpcCodec codec, byte[] sent) : RpcCodec
{
    public override string ContentType => codec.ContentType;

    public override RpcFormatter<RpcArguments<TFirst, TRest>> Combine<TFirst, TRest>(string name, RpcFormatter<TFirst> first, RpcFormatter<TRest> rest)
        => new Garbled<RpcArguments<TFirst, TRest>>(codec.Combine(name, Inner(first), Inner(rest)), sent);

    protected override RpcFormatter<T>? Find<T>() => new Garbled<T>(codec.GetFormatter<T>(), sent);

    private static RpcFormatter<T> Inner<T>(RpcFormatter<T> formatter) => formatter is Garbled<T> garbled ? garbled.Formatter : formatter;

    private sealed class Garbled<T>(RpcFormatter<T> formatter, byte[] sent) : RpcFormatter<T>
    {
        public RpcFormatter<T> Formatter => formatter;

        public override void Write(IBufferWriter<byte> output, T value) => output.Write(sent);

        public override T Read(in ReadOnlySequence<byte> input) => formatter.Read(input);
    }
}
