using Postrider.Memory;

namespace Postrider.UnitTests.Memory;

public sealed unsafe class NativePagesTests
{
    [Theory]
    [InlineData(1, 8192)]
    [InlineData(8192, 1)]
    [InlineData(4096, 4 * 1024 * 1024)]
    [InlineData(1024 * 1024, 300_000)]
    public void Resized_memory_keeps_its_contents(int oldBytes, int newBytes)
    {
        var address = NativePages.Allocate(oldBytes);
        var kept = Math.Min(oldBytes, newBytes);
        for (var i = 0; i < oldBytes; i++) ((byte*)address)[i] = (byte)(i * 7);

        address = NativePages.Resize(address, oldBytes, newBytes);

        var expected = Enumerable.Range(0, kept).Select(i => (byte)(i * 7)).ToArray();
        Assert.Equal(expected, new ReadOnlySpan<byte>((void*)address, kept).ToArray());
        new Span<byte>((void*)address, newBytes).Fill(1);
        NativePages.Free(address, newBytes);
    }

    [Fact]
    public void Allocated_memory_is_zero()
    {
        var address = NativePages.Allocate(100_000);

        Assert.False(new ReadOnlySpan<byte>((void*)address, 100_000).ContainsAnyExcept((byte)0));

        NativePages.Free(address, 100_000);
    }

    [Theory]
    [InlineData(0, 65_536)]
    [InlineData(1, 65_535)]
    [InlineData(4095, 2)]
    [InlineData(100, 0)]
    public void Populating_pages_leaves_what_they_hold(int start, int bytes)
    {
        var address = NativePages.Allocate(65_536);
        new Span<byte>((void*)address, 65_536).Fill(9);

        NativePages.Populate(address + start, bytes);

        Assert.False(new ReadOnlySpan<byte>((void*)address, 65_536).ContainsAnyExcept((byte)9));
        NativePages.Free(address, 65_536);
    }

    [Fact]
    public void More_than_the_system_has_is_refused_with_the_number_of_bytes()
    {
        var exception = Assert.Throws<OutOfMemoryException>(() => NativePages.Allocate(nint.MaxValue / 2));

        Assert.Contains($"{nint.MaxValue / 2} bytes", exception.Message);
    }
}
