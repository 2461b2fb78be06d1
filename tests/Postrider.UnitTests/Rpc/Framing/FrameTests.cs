using System.Buffers.Binary;
using Postrider.Rpc;
using Postrider.Rpc.Framing;

namespace Postrider.UnitTests.Rpc.Framing;

public sealed class FrameTests
{
    [Fact]
    public void Frame_is_its_length_kind_flags_call_and_body()
    {
        var frame = FrameBuffer.Rent();
        frame.Begin(RpcFrameKind.Item, FrameFlags.Headers, 0x01020304);
        frame.WriteUInt16(0x0506);
        frame.Finish();

        Assert.Equal("08000000060204030201" + "0605", Convert.ToHexStringLower(frame.Written));
        frame.Return();
    }

    [Fact]
    public void Frame_that_grows_keeps_what_was_written()
    {
        var frame = FrameBuffer.Rent();
        frame.Begin(RpcFrameKind.Item, FrameFlags.None, 1);
        for (var i = 0; i < 100_000; i++)
            frame.WriteUInt32((uint)i);
        frame.Finish();

        var length = frame.Length;
        var bytes = frame.Detach();
        Assert.Equal(400_010, length);
        Assert.Equal(99_999u, BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(length - 4)));
        Assert.Equal(0, frame.Length);
        frame.Return();
    }

    [Fact]
    public void Headers_are_read_as_they_were_written()
    {
        var written = new RpcHeaders { { "Tenant", "north" }, { "empty", "" } };
        var read = new RpcHeaders();

        var body = Body(frame => frame.WriteHeaders(written));

        Assert.True(new RpcFrameReader(body).TryReadHeaders(read));
        Assert.Equal(written, read);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(100_000)]
    public void Text_that_is_too_long_is_cut_between_characters_however_much_room_there_is(int room)
    {
        var body = Body(frame =>
        {
            _ = frame.GetSpan(room);
            frame.WriteText(new string('ä', 200), 255);
        });

        Assert.True(new RpcFrameReader(body).TryReadShortText(out var text));
        Assert.Equal(new string('ä', 127), text);
    }

    [Fact]
    public void Error_is_read_as_it_was_written()
    {
        var body = Body(frame => ErrorFrame.Write(frame, new CallFailure(RpcStatus.Fault, "größer", "SoldOut", new byte[] { 1, 2 })));

        Assert.True(ErrorFrame.TryRead(body, out var failure));
        Assert.Equal((RpcStatus.Fault, "größer", "SoldOut"), (failure.Status, failure.Message, failure.Fault));
        Assert.Equal([1, 2], failure.Detail.ToArray());
    }

    [Fact]
    public void Headers_cut_at_any_byte_are_refused()
    {
        var whole = Body(frame => frame.WriteHeaders(new() { { "Tenant", "north" }, { "a", "b" } }));

        Assert.All(Enumerable.Range(0, whole.Length), cut => Assert.False(new RpcFrameReader(whole.AsSpan(0, cut)).TryReadHeaders([])));
    }

    [Fact]
    public void Error_cut_in_what_stands_before_its_detail_is_refused()
    {
        var whole = Body(frame => ErrorFrame.Write(frame, new CallFailure(RpcStatus.Busy, "text")));

        Assert.All(Enumerable.Range(0, whole.Length), cut => Assert.False(ErrorFrame.TryRead(whole.AsSpan(0, cut), out _)));
    }

    [Theory]
    [InlineData("0100" + "00" + "0000")] // no name
    [InlineData("0100" + "0120" + "0000")] // a blank as name
    [InlineData("0100" + "0161" + "01000a")] // a line end as value
    [InlineData("0100" + "01ff" + "0000")] // no UTF-8
    [InlineData("0200" + "0161" + "0000")] // fewer than stated
    [InlineData("ffff")] // too many
    public void Headers_that_are_none_are_refused(string hex)
        => Assert.False(new RpcFrameReader(Convert.FromHexString(hex)).TryReadHeaders([]));

    private static byte[] Body(Action<FrameBuffer> write)
    {
        var frame = FrameBuffer.Rent();
        frame.BeginBody();
        write(frame);
        var body = frame.Written.ToArray();
        frame.Return();
        return body;
    }
}
