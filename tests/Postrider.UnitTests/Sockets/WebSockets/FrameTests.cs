using Postrider.Sockets.WebSockets;

namespace Postrider.UnitTests.Sockets.WebSockets;

public sealed class FrameTests
{
    [Theory]
    [InlineData("", 2)]
    [InlineData("82", 2)]
    [InlineData("8205", 0)]
    [InlineData("8285", 6)]
    [InlineData("827E", 4)]
    [InlineData("82FE0100", 8)]
    [InlineData("827F", 10)]
    [InlineData("82FF0000000000010000", 14)]
    public void Header_tells_how_much_of_it_is_missing(string hex, int needed)
    {
        var isComplete = FrameHeader.TryRead(Convert.FromHexString(hex), out _, out var neededBytes);

        Assert.Equal(needed == 0, isComplete);
        Assert.Equal(needed == 0 ? 2 : needed, neededBytes);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(125)]
    [InlineData(126)]
    [InlineData(65_535)]
    [InlineData(65_536)]
    [InlineData(int.MaxValue)]
    public void Header_is_read_as_it_was_written(int payload)
    {
        var bytes = new byte[FrameHeader.MaxBytes];
        foreach (var key in (uint?[])[null, 0x78563412])
        {
            var length = FrameHeader.Write(bytes, FrameOpcode.Binary, payload, isCompressed: true, key);

            Assert.True(FrameHeader.TryRead(bytes.AsSpan(0, length), out var header, out _));
            Assert.Equal(length, header.Length);
            Assert.Equal((ulong)payload, header.PayloadBytes);
            Assert.Equal(FrameOpcode.Binary, header.Opcode);
            Assert.True(header.IsFinal);
            Assert.True(header.IsCompressed);
            Assert.False(header.HasReservedBits);
            Assert.Equal(key is not null, header.IsMasked);
            Assert.Equal(key ?? 0, header.Key);
        }
    }

    [Fact]
    public void Mask_is_the_same_in_one_piece_and_in_many()
    {
        var random = new Random(Seed.Next());
        for (var round = 0; round < 200; round++)
        {
            var source = new byte[random.Next(0, 300)];
            random.NextBytes(source);
            byte[] keyBytes = [(byte)random.Next(1, 256), (byte)random.Next(256), (byte)random.Next(256), (byte)random.Next(256)];
            var expected = source.Select((value, i) => (byte)(value ^ keyBytes[i & 3])).ToArray();
            var target = new byte[source.Length];
            var key = FrameMask.Read(keyBytes);
            for (var done = 0; done < source.Length;)
            {
                var piece = random.Next(1, source.Length - done + 1);
                key = FrameMask.Copy(source.AsSpan(done, piece), target.AsSpan(done), key);
                done += piece;
            }

            Assert.Equal(expected, target);
        }
    }

    [Fact]
    public void Close_frame_is_read_as_it_was_written_and_a_long_text_is_cut_between_characters()
    {
        var problem = CloseFrame.Read(CloseFrame.Render(new WebSocketClose(WebSocketCloseStatus.GoingAway, "Server Shutdown")), out var close);
        var longest = CloseFrame.Render(new WebSocketClose(WebSocketCloseStatus.GoingAway, new string('ä', 100)));

        Assert.Null(problem);
        Assert.Equal(new WebSocketClose(WebSocketCloseStatus.GoingAway, "Server Shutdown"), close);
        Assert.InRange(longest.Length, 120, FrameHeader.MaxControlPayload);
        Assert.Null(CloseFrame.Read(longest, out var cut));
        Assert.Equal(new string('ä', 60) + "...", cut!.Value.Text);
    }
}
