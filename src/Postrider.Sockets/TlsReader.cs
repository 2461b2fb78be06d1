// Hot path: TlsConnection -> this -> SslStream, IReceiver. Allocations: none per read.
using System.Buffers;
using System.Net.Security;

namespace Postrider.Sockets;

/// <summary>Decrypts the bytes that a connection received and passes them to the receiver, on the thread that received them.</summary>
/// <remarks>The stream is only offered whole records, so that its reads complete at once and an idle connection holds no buffer: the front of a
/// record is kept by the connection below, the front of a message here.</remarks>
/// <param name="connection">The encrypted connection.</param>
/// <param name="cipher">The stream below.</param>
/// <param name="stream">The stream that decrypts.</param>
internal sealed class TlsReader(TlsConnection connection, CipherStream cipher, SslStream stream)
{
    // Half of an epoll loop's buffer; the pool has arrays of this size at hand.
    private const int ScratchBytes = 64 * 1024;

    // Up to this size an incomplete message is moved before the next bytes; above it, it grows in its own buffer.
    private const int MaxMovedBytes = ScratchBytes - TlsRecord.MaxBytes;

    private ReceiveBuffer _plain;
    private byte[]? _early;
    private byte[]? _scratch;
    private int _filled;
    private ValueTask<int> _reading;
    private bool _isReadPending;
    private bool _isUnfinished;
    private bool _sawEnd;

    /// <summary>Whether the other side ended its direction and the receiver has everything that came before.</summary>
    public bool IsAtEnd => _sawEnd && !_isUnfinished;

    /// <summary>Handles received bytes; like <see cref="IReceiver.Receive"/>.</summary>
    /// <param name="input">Encrypted bytes that begin at a record.</param>
    /// <param name="receiver">Receives the decrypted bytes.</param>
    /// <param name="batch">Collects the output.</param>
    /// <param name="neededBytes">The size of the record at the front of the rest, or 0.</param>
    /// <returns>The bytes consumed.</returns>
    public int Receive(ReadOnlySpan<byte> input, IReceiver receiver, SendBatch batch, out int neededBytes)
    {
        neededBytes = 0;
        if (_isUnfinished)
        {
            _plain.ReceiveKept(0, receiver, batch);
            _isUnfinished = batch.ShouldYield;
            if (_isUnfinished) return 0;
        }
        _early ??= cipher.GoDirect();
        return _early.Length > 0 ? ReceiveEarly(input, receiver, batch, out neededBytes) : Decrypt(input, receiver, batch, out neededBytes);
    }

    /// <summary>Returns the memory; nothing is received any more.</summary>
    public void Release()
    {
        _plain.Release();
        // A read that is still pending may write into it.
        if (_scratch is null || (_isReadPending && !_reading.IsCompleted)) return;
        ArrayPool<byte>.Shared.Return(_scratch);
        _scratch = null;
    }

    // The bytes that came after the handshake, and those that came since.
    private int ReceiveEarly(ReadOnlySpan<byte> input, IReceiver receiver, SendBatch batch, out int neededBytes)
    {
        byte[] all = [.. _early!, .. input];
        var consumed = Decrypt(all, receiver, batch, out neededBytes);
        var rest = all.Length - consumed;
        if (rest <= input.Length)
        {
            _early = [];
            return input.Length - rest;
        }
        _early = all[consumed..];
        neededBytes = 0;
        return input.Length;
    }

    private unsafe int Decrypt(ReadOnlySpan<byte> input, IReceiver receiver, SendBatch batch, out int neededBytes)
    {
        neededBytes = 0;
        var consumed = 0;
        fixed (byte* bytes = input)
        {
            while (consumed < input.Length && !batch.ShouldYield)
            {
                if (_sawEnd || connection.IsClosed) return input.Length;
                if (connection.IsPaused)
                {
                    // Called again for the rest when reading is resumed.
                    batch.RequestYield();
                    break;
                }
                var records = TlsRecord.CountComplete(input[consumed..], out neededBytes);
                if (records == 0) break;
                var start = PrepareScratch();
                cipher.Offer(bytes + consumed, records);
                ReadOffered();
                consumed += records - cipher.OfferedBytes;
                cipher.Withdraw();
                Deliver(start, receiver, batch);
            }
        }
        return consumed;
    }

    // An incomplete message is placed before what is read next, unless it is large or a read is pending.
    private int PrepareScratch()
    {
        if (_isReadPending) return _filled;
        _scratch ??= ArrayPool<byte>.Shared.Rent(ScratchBytes);
        _filled = 0;
        if (_plain.Length is 0 or > MaxMovedBytes || _plain.NeededBytes > ScratchBytes) return 0;
        _filled = _plain.Length;
        _plain.MoveTo(_scratch);
        return 0;
    }

    // As many of the offered bytes as fit. One read takes one record; one without data leaves the read pending for the next record.
    private void ReadOffered()
    {
        try
        {
            while (cipher.OfferedBytes > 0)
            {
                if (_isReadPending) cipher.ServeOffered();
                else if (ScratchBytes - _filled < TlsRecord.MaxBytes) return;
                else BeginRead();
                _isReadPending = !_reading.IsCompleted;
                if (!_isReadPending) TakeRead();
                else if (cipher.OfferedBytes > 0) throw new InvalidOperationException("The TLS stream does not read the offered bytes.");
            }
        }
        catch (Exception error) when (TlsConnection.IsEndOfStream(error))
        {
            _isReadPending = false;
            connection.Close(CloseReason.ReadError, error);
        }
    }

#pragma warning disable CA2012 // Kept until it is complete and consumed once, by TakeRead: awaiting it would leave this thread.
    private void BeginRead() => _reading = stream.ReadAsync(_scratch.AsMemory(_filled));
#pragma warning restore CA2012

    private void TakeRead()
    {
        var read = _reading.GetAwaiter().GetResult();
        _filled += read;
        _sawEnd |= read == 0;
    }

    private void Deliver(int start, IReceiver receiver, SendBatch batch)
    {
        var arrived = _scratch.AsSpan(start, _filled - start);
        if (!arrived.IsEmpty && !connection.IsClosed) _plain.Receive(arrived, receiver, batch);
        _isUnfinished = batch.ShouldYield;
        if (_isReadPending) return;
        ArrayPool<byte>.Shared.Return(_scratch!);
        _scratch = null;
    }
}
