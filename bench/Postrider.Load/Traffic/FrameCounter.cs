using System.Text;

namespace Postrider.Load.Traffic;

/// <summary>Counts frames of one fixed length in a stream, looking at one byte per chunk.</summary>
/// <remarks>
/// Shape: the stream is frames of <c>frameBytes</c> that begin with 'M' (MSG) or 'H' (HMSG), with the server's own PING
/// allowed between two. A shift by a PING makes every later frame of the chunk begin elsewhere, and no payload holds
/// an upper-case letter, so checking the last frame's first byte finds it; only then is the chunk walked.
/// Not thread-safe.
/// </remarks>
internal sealed class FrameCounter(int frameBytes, byte first)
{
    private const int PingBytes = 6;

    private int _inFrame;
    private int _pingLeft;

    /// <summary>Bytes of frames seen, without the server's PINGs.</summary>
    public long FrameBytes { get; private set; }

    /// <summary>PINGs seen and not yet answered.</summary>
    public int Pings { get; set; }

    public void Accept(ReadOnlySpan<byte> chunk)
    {
        if (_pingLeft == 0)
        {
            var total = _inFrame + chunk.Length;
            var last = ((total - 1) / frameBytes * frameBytes) - _inFrame;
            if (last < 0 || chunk[last] == first)
            {
                _inFrame = total % frameBytes;
                FrameBytes += chunk.Length;
                return;
            }
        }

        Walk(chunk);
    }

    private void Walk(ReadOnlySpan<byte> chunk)
    {
        while (chunk.Length > 0)
        {
            if (_pingLeft > 0)
            {
                var skipped = Math.Min(_pingLeft, chunk.Length);
                _pingLeft -= skipped;
                chunk = chunk[skipped..];
                continue;
            }

            if (_inFrame == 0 && chunk[0] != first)
            {
                if (chunk[0] != (byte)'P')
                    throw new LoadException($"A frame should begin where the server sent '{Excerpt(chunk)}'.");

                _pingLeft = PingBytes;
                Pings++;
                continue;
            }

            var taken = Math.Min(frameBytes - _inFrame, chunk.Length);
            _inFrame = (_inFrame + taken) % frameBytes;
            FrameBytes += taken;
            chunk = chunk[taken..];
        }
    }

    private static string Excerpt(ReadOnlySpan<byte> chunk)
        => Encoding.ASCII.GetString(chunk[..Math.Min(120, chunk.Length)]).Replace("\r\n", "\\r\\n", StringComparison.Ordinal);
}
