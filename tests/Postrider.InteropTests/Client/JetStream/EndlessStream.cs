namespace Postrider.InteropTests.Client.JetStream;

/// <summary>Bytes without end, and something that happens when so many were read.</summary>
/// <param name="at">After how many bytes.</param>
/// <param name="happens">What.</param>
/// <param name="ends">Whether that is the end all the same.</param>
internal sealed class EndlessStream(long at, Action happens, bool ends = false) : Stream
{
    private long _read;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => _read;
        set => throw new NotSupportedException();
    }

    public override int Read(byte[] buffer, int offset, int count)
    {
        if (_read >= at) happens();
        var bytes = ends ? (int)Math.Min(count, at - _read) : count;
        // No two chunks are the same.
        buffer.AsSpan(offset, bytes).Fill((byte)(_read / 4096));
        _read += bytes;
        return bytes;
    }

    public override void Flush()
    {
        // Nothing is written.
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}
