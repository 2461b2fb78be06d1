using System.Buffers;
using System.Text;

namespace Postrider.Rpc.Server.Grpc;

/// <summary>The two messages of gRPC's health service in Protobuf: a text as field 1, a number as field 1.</summary>
/// <remarks>Source: grpc/health/v1/health.proto.</remarks>
internal sealed class HealthCodec : RpcCodec
{
    private const byte NameTag = (1 << 3) | 2;
    private const byte StatusTag = 1 << 3;

    public override string ContentType => "application/protobuf";

    public override RpcFormatter<RpcArguments<TFirst, TRest>> Combine<TFirst, TRest>(string name, RpcFormatter<TFirst> first, RpcFormatter<TRest> rest)
        => throw new NotSupportedException();

    protected override RpcFormatter<T>? Find<T>() => new Name() as RpcFormatter<T> ?? new Status() as RpcFormatter<T>;

    private sealed class Name : RpcFormatter<string>
    {
        public override void Write(IBufferWriter<byte> output, string value) => throw new NotSupportedException();

        public override string Read(in ReadOnlySequence<byte> input)
        {
            var reader = new SequenceReader<byte>(input);
            var name = "";
            while (!reader.End)
            {
                var tag = Number(ref reader);
                ulong bytes = 0;
                switch (tag & 7)
                {
                    case 0:
                        Number(ref reader);
                        break;
                    case 1:
                        bytes = sizeof(ulong);
                        break;
                    case 2:
                        bytes = Number(ref reader);
                        break;
                    case 5:
                        bytes = sizeof(uint);
                        break;
                    default:
                        throw Unreadable();
                }

                if (bytes > (ulong)reader.Remaining)
                    throw Unreadable();
                if (tag == NameTag)
                    name = Encoding.UTF8.GetString(reader.UnreadSequence.Slice(0, (long)bytes));
                reader.Advance((long)bytes);
            }

            return name;
        }

        private static ulong Number(ref SequenceReader<byte> reader)
        {
            ulong number = 0;
            for (var shift = 0; shift < 64; shift += 7)
            {
                if (!reader.TryRead(out var part))
                    break;
                number |= (ulong)(part & 0x7F) << shift;
                if (part < 0x80)
                    return number;
            }

            throw Unreadable();
        }

        private static RpcException Unreadable() => new(RpcStatus.InvalidData, "The message is not a HealthCheckRequest.");
    }

    private sealed class Status : RpcFormatter<HealthState>
    {
        public override void Write(IBufferWriter<byte> output, HealthState value) => output.Write([StatusTag, (byte)value]);

        public override HealthState Read(in ReadOnlySequence<byte> input) => throw new NotSupportedException();
    }
}
