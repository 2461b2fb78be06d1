using Google.Protobuf;
using Google.Protobuf.WellKnownTypes;
using Postrider.Rpc.Grpc;

namespace Postrider.UnitTests.Rpc.Grpc;

public sealed class StatusDetailsTests
{
    [Fact]
    public void Detail_comes_back()
    {
        var text = StatusDetails.Write(9, "sold öut", "shop.SoldOut", [1, 2, 3]);

        Assert.True(StatusDetails.TryRead(text, out var type, out var detail));
        Assert.Equal("shop.SoldOut", type);
        Assert.Equal([1, 2, 3], detail);
        Assert.True(StatusDetails.TryRead(text.TrimEnd('='), out _, out _));
    }

    [Fact]
    public void Detail_is_an_any_of_protobufs()
    {
        var status = Convert.FromBase64String(StatusDetails.Write(300, "m", "shop.SoldOut", new byte[200]));

        // code 300 as a varint of two bytes, the message, then the detail.
        Assert.Equal([0x08, 0xAC, 0x02, 0x12, 1, (byte)'m', 0x1A], status[..7]);
        var any = Any.Parser.ParseFrom(status[9..]);
        Assert.Equal(("type.googleapis.com/shop.SoldOut", 200), (any.TypeUrl, any.Value.Length));
    }

    [Fact]
    public void Details_that_others_wrote_are_read_past_what_is_not_known()
    {
        byte[] any = new Any { TypeUrl = "example.com/x/shop.Late", Value = ByteString.CopyFrom(7) }.ToByteArray();
        byte[] status = [0x08, 5, 0x21, 0, 0, 0, 0, 0, 0, 0, 0, 0x2D, 0, 0, 0, 0, 0x1A, (byte)any.Length, .. any];

        Assert.True(StatusDetails.TryRead(Convert.ToBase64String(status), out var type, out var detail));
        Assert.Equal("shop.Late", type);
        Assert.Equal([7], detail);
    }

    [Theory]
    [InlineData("")]
    [InlineData("!!!!")]
    [InlineData("CAU=")]
    [InlineData("GgU=")]
    [InlineData("Gg==")]
    [InlineData("GgA=")]
    [InlineData("Cw==")]
    [InlineData("//////////////////8=")]
    public void Details_that_are_none_are_passed_over(string text)
    {
        Assert.False(StatusDetails.TryRead(text, out _, out var detail));
        Assert.Empty(detail);
    }

    [Fact]
    public void Random_bytes_never_throw()
    {
        var seed = Seed.Next();
        TestContext.Current.TestOutputHelper?.WriteLine($"seed {seed}");
        var random = new Random(seed);
        var found = 0;

        for (var i = 0; i < 50_000; i++)
        {
            var bytes = new byte[random.Next(16)];
            random.NextBytes(bytes);
            if (StatusDetails.TryRead(Convert.ToBase64String(bytes), out var type, out _))
                found += type.Length;
        }

        Assert.True(found >= 0);
    }
}
