// Hot path: socket's Connection -> this -> IReceiver; Outbox -> this -> Outbox of the socket. Allocations: none per read or send.
using System.Buffers;

namespace Postrider.Sockets;

/// <summary>A connection whose bytes a codec encodes, on top of a plain or an encrypted one.</summary>
/// <remarks>Thread-safe like every connection. Received bytes are decoded on the thread that read them, a block at a time, and passed to the receiver
/// there; a block is decoded only after the receiver has taken the previous one. The bytes in the outbox are encoded by its sender.</remarks>
public sealed class EncodedConnection : LayeredConnection, IReceiver
{
    // The size of each step in which the front of a frame grows while its length is unknown.
    private const int StepBytes = 4096;

    private readonly IConnectionCodec _codec;
    private readonly SendLane _lane;
    private ReceiveBuffer _front;
    private int _position;
    private bool _isInnerStarted;
    private bool _isFrontUnfinished;
    private bool _isBroken;

    private EncodedConnection(Connection inner, IConnectionCodec codec)
        : base(inner)
    {
        _codec = codec;
        _lane = inner.Outbox.CreateLane();
    }

    /// <summary>Creates a connection on top of one that does not read yet; starting it starts that one.</summary>
    /// <param name="inner">The connection below; owned by this one from now on. The bytes in its outbox are sent unencoded.</param>
    /// <param name="codec">Encodes what is sent from now on, and decodes everything that is received.</param>
    /// <returns>A connection that does not read yet.</returns>
    public static EncodedConnection Create(Connection inner, IConnectionCodec codec) => new(inner, codec);

    /// <summary>Creates a connection on top of one that has been read. Call inside <see cref="IReceiver.Receive"/> of its receiver: the bytes that
    /// it does not consume are decoded, and it gets no further call from the connection below.</summary>
    /// <param name="inner">The connection below; owned by this one from now on. The bytes in its outbox are sent unencoded.</param>
    /// <param name="codec">Encodes what is sent from now on, and decodes what is received from now on.</param>
    /// <param name="batch">The batch of the call.</param>
    /// <returns>A connection that does not read yet.</returns>
    public static EncodedConnection Upgrade(Connection inner, IConnectionCodec codec, SendBatch batch)
    {
        var upgraded = new EncodedConnection(inner, codec) { _isInnerStarted = true };
        inner.ReplaceReceiver(upgraded);
        batch.RequestYield();
        return upgraded;
    }

    /// <inheritdoc/>
    int IReceiver.Receive(ReadOnlySpan<byte> input, SendBatch batch, out int neededBytes)
    {
        neededBytes = 0;
        if (IsClosed || _isBroken) return input.Length;
        if (!DeliverAll(batch)) return 0;
        _codec.Add(input);
        if (DeliverAll(batch)) _codec.Trim();
        return input.Length;
    }

    /// <inheritdoc/>
    void IReceiver.Closed(CloseReason reason, Exception? error)
    {
        if (!IsClosed)
        {
            if (reason == CloseReason.ByPeer && !Inner.IsClosed) EndByPeer();
            else Close(reason, error);
        }
        _front.Release();
        if (IsClosed) EndReading();
    }

    internal override unsafe TransmitResult Transmit(ReadOnlySpan<Segment> segments, out int sentBytes)
    {
        sentBytes = 0;
        if (EndWithInner()) return TransmitResult.Failed;
        if (IsInnerFull) return TransmitResult.Blocked;
        Inner.Outbox.WriteDeadline = Outbox.WriteDeadline;
        Inner.Outbox.ClosesPartialWrites = Outbox.ClosesPartialWrites;
        foreach (var segment in segments) sentBytes += (int)segment.Length;
        if (segments.Length == 1)
        {
            _codec.Encode(new ReadOnlySpan<byte>((void*)segments[0].Address, sentBytes), _lane);
        }
        else
        {
            // Many small pieces compress better as one.
            var joined = ArrayPool<byte>.Shared.Rent(sentBytes);
            var length = 0;
            foreach (var segment in segments)
            {
                new ReadOnlySpan<byte>((void*)segment.Address, (int)segment.Length).CopyTo(joined.AsSpan(length));
                length += (int)segment.Length;
            }
            _codec.Encode(joined.AsSpan(0, length), _lane);
            ArrayPool<byte>.Shared.Return(joined);
        }
        _lane.Submit();
        Inner.Outbox.Send();
        return TransmitResult.Done;
    }

    internal override void AwaitWritable() => AwaitInner();

    private protected override void BeginReading()
    {
        if (!_isInnerStarted) Inner.Start(this);
    }

    private protected override void Shutdown()
    {
        if (Lingers || WasSent || (EndReason == CloseReason.ByPeer && DrainOnHalfClose)) Inner.CloseAfterSending();
        else Inner.Close();
    }

    // False when the receiver has to be called again for the rest, after other connections have had their turn.
    private bool DeliverAll(SendBatch batch)
    {
        while (true)
        {
            if (!DeliverBlock(batch)) return false;
            var status = _codec.TryDecode();
            _position = 0;
            if (status == OperationStatus.Done) continue;
            if (status == OperationStatus.NeedMoreData) return true;
            _isBroken = true;
            // Responses to what came before the error are sent.
            batch.Flush(null);
            Close(CloseReason.ReadError, new InvalidDataException("The other side sent invalid or damaged compressed blocks."));
            return true;
        }
    }

    private bool DeliverBlock(SendBatch batch)
    {
        var receiver = Receiver!;
        if (_isFrontUnfinished)
        {
            _front.ReceiveKept(0, receiver, batch);
            _isFrontUnfinished = batch.ShouldYield;
            if (_isFrontUnfinished) return false;
        }
        while (_position < _codec.Block.Length)
        {
            if (IsClosed) return true;
            if (IsPaused)
            {
                // Called again for the rest when reading is resumed.
                batch.RequestYield();
                return false;
            }
            var rest = _codec.Block[_position..];
            if (_front.Length > 0)
            {
                var taken = Math.Min(rest.Length, Math.Max(_front.NeededBytes - _front.Length, StepBytes));
                _position += taken;
                _front.Receive(rest[..taken], receiver, batch);
                _isFrontUnfinished = batch.ShouldYield;
                if (_isFrontUnfinished) return false;
                continue;
            }
            var consumed = receiver.Receive(rest, batch, out var needed);
            _position += consumed;
            if (batch.ShouldYield) return false;
            if (consumed == rest.Length) continue;
            _front.Keep(rest[consumed..], needed);
            _position = _codec.Block.Length;
        }
        return true;
    }
}
