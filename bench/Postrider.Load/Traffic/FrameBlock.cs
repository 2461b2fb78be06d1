using System.Runtime.InteropServices;

namespace Postrider.Load.Traffic;

/// <summary>Rendered frames in memory that the collector neither moves nor scans.</summary>
internal sealed unsafe class FrameBlock : IDisposable
{
    public FrameBlock(ReadOnlySpan<byte> bytes, int frames)
    {
        Length = bytes.Length;
        Frames = frames;
        Start = (byte*)NativeMemory.AlignedAlloc((nuint)bytes.Length, 64);
        bytes.CopyTo(new Span<byte>(Start, Length));
    }

    public byte* Start { get; }

    public int Length { get; }

    public int Frames { get; }

    public ReadOnlySpan<byte> Bytes => new(Start, Length);

    public void Dispose() => NativeMemory.AlignedFree(Start);
}
