using System.Buffers;
using Postrider.Rpc;
using Postrider.Rpc.Grpc;
using Postrider.Rpc.Http;

namespace Postrider.UnitTests.Rpc.Grpc;

public sealed class GrpcMessageFramingTests
{
    private static readonly RpcFormatter<string> Text = new RpcJsonCodec().GetFormatter<string>();

    [Fact]
    public void Each_message_is_compressed_or_not_as_is_asked_before_it()
    {
        var turns = 0;
        var framing = new GrpcMessageFraming("application/grpc", isZipped: true, 1000, () => turns++ % 2 == 0);
        var output = new ArrayBufferWriter<byte>();

        foreach (var text in (string[])["one", "two", "three"])
            framing.Write(output, Text, text);

        var read = new List<(int Flag, string Message)>();
        var rest = new ReadOnlySequence<byte>(output.WrittenMemory);
        while (!rest.IsEmpty)
        {
            var flag = rest.FirstSpan[0];
            Assert.Equal(StreamRecordKind.Item, framing.Read(ref rest, isWhole: true, out var record));
            read.Add((flag, Text.Read(record)));
        }

        Assert.Equal([(1, "one"), (0, "two"), (1, "three")], read);
    }

    [Fact]
    public void Message_that_is_too_large_when_it_is_no_longer_compressed_is_refused()
    {
        var output = new ArrayBufferWriter<byte>();
        new GrpcMessageFraming("application/grpc", isZipped: true, 1000, () => true).Write(output, Text, new string('a', 2000));
        var rest = new ReadOnlySequence<byte>(output.WrittenMemory);

        var failure = Assert.Throws<RpcException>(() => new GrpcMessageFraming("application/grpc", isZipped: true, 1000).Read(ref rest, isWhole: true, out _));

        Assert.Equal(RpcStatus.TooLarge, failure.Status);
    }
}
