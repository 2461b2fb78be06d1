using System.Net;
using Postrider.Sockets;

namespace Postrider.UnitTests.Sockets;

/// <summary>A connection whose other side reads what the test says.</summary>
internal sealed class SlowConnection(TimeProvider time) : Connection(new SendBatchSet(), time)
{
    public override EndPoint? RemoteEndPoint => null;

    public override EndPoint? LocalEndPoint => null;

    /// <summary>The bytes that a send may take now.</summary>
    public int Room { get; set; }

    /// <summary>The bytes that were taken so far.</summary>
    public List<byte> Taken { get; } = [];

    /// <summary>Takes so many of the waiting bytes.</summary>
    public void Take(int bytes)
    {
        Room = bytes;
        Outbox.ContinueBlocked();
    }

    internal override unsafe TransmitResult Transmit(ReadOnlySpan<Segment> segments, out int sentBytes)
    {
        (var offered, sentBytes) = (0, 0);
        foreach (var segment in segments)
        {
            var bytes = Math.Min((int)segment.Length, Room);
            Taken.AddRange(new ReadOnlySpan<byte>((void*)segment.Address, bytes));
            offered += (int)segment.Length;
            sentBytes += bytes;
            Room -= bytes;
        }
        return sentBytes < offered ? TransmitResult.Blocked : TransmitResult.Done;
    }

    internal override void AwaitWritable()
    {
        // A test says when.
    }

    private protected override void BeginReading()
    {
        // It never reads.
    }

    private protected override void ReadingChanged()
    {
        // It never reads.
    }

    private protected override void Shutdown() => EndReading();
}
