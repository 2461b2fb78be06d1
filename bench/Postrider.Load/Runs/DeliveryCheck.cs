using System.Globalization;
using System.Text;
using Postrider.Load.Rows;
using Postrider.Load.Traffic;

namespace Postrider.Load.Runs;

/// <summary>Compares numbered deliveries with what was published.</summary>
/// <remarks><see cref="Accept"/> may be called for different subscribers at the same time.</remarks>
internal sealed class DeliveryCheck(StreamRow row, int messagesPerPublisher)
{
    private readonly List<byte>[] _rest = [.. Enumerable.Range(0, row.Subscribers).Select(_ => new List<byte>())];
    private readonly int[,] _next = new int[Math.Max(1, row.Subscribers), row.Publishers];
    private readonly bool[,] _seen = new bool[row.Publishers, messagesPerPublisher];
    private readonly int _frameBytes = FrameRenderer.Delivered(row, 0, 0, StreamRun.Sid).Length;
    private long _delivered;

    public long Delivered => Interlocked.Read(ref _delivered);

    /// <summary>Takes a chunk of what a subscriber received; true when the server's PING is to be answered.</summary>
    public bool Accept(int subscriber, ReadOnlySpan<byte> chunk)
    {
        var rest = _rest[subscriber];
        rest.AddRange(chunk);
        var bytes = System.Runtime.InteropServices.CollectionsMarshal.AsSpan(rest);
        var used = 0;
        var pinged = false;
        while (used < bytes.Length)
        {
            if (bytes[used..].StartsWith("PING\r\n"u8))
            {
                pinged = true;
                used += 6;
                continue;
            }

            if (bytes.Length - used < _frameBytes)
                break;

            Compare(subscriber, bytes.Slice(used, _frameBytes));
            used += _frameBytes;
        }

        rest.RemoveRange(0, used);
        return pinged;
    }

    /// <summary>Throws unless exactly <paramref name="due"/> messages arrived and no byte is left over.</summary>
    public void ExpectComplete(long due)
    {
        if (Delivered != due || _rest.Any(rest => rest.Count > 0))
            throw new LoadException($"{row.Name}: {Delivered} of {due} numbered messages arrived.");
    }

    private void Compare(int subscriber, ReadOnlySpan<byte> frame)
    {
        var payload = frame.Slice(_frameBytes - 2 - row.PayloadBytes, row.PayloadBytes);
        if (!int.TryParse(payload[..2], NumberStyles.None, CultureInfo.InvariantCulture, out var publisher)
            || !int.TryParse(payload[2..12], NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            || publisher >= row.Publishers || number >= messagesPerPublisher
            || !frame.SequenceEqual(FrameRenderer.Delivered(row, publisher, number, StreamRun.Sid)))
        {
            throw new LoadException($"{row.Name}: not a frame that was published: '{Encoding.ASCII.GetString(frame[..Math.Min(160, frame.Length)])}'.");
        }

        var wanted = _next[subscriber, publisher];
        var inOrder = row.Feed == Feed.Shared ? number >= wanted : number == wanted;
        if (!inOrder || (row.Feed == Feed.Own && publisher != subscriber))
            throw new LoadException($"{row.Name}: subscriber {subscriber} got message {number} of publisher {publisher} where {wanted} was due.");

        _next[subscriber, publisher] = number + 1;
        if (row.Feed == Feed.Shared)
        {
            lock (_seen)
            {
                if (_seen[publisher, number])
                    throw new LoadException($"{row.Name}: message {number} of publisher {publisher} reached two of the group.");
                _seen[publisher, number] = true;
            }
        }

        Interlocked.Increment(ref _delivered);
    }
}
