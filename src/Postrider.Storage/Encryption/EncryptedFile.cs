using System.Buffers;
using Postrider.Storage.Faults;
using Postrider.Storage.Files;

namespace Postrider.Storage.Encryption;

/// <summary>A file whose contents are encrypted and authenticated on the disk: the store sees the plaintext at its own offsets.</summary>
/// <remarks>
/// <para>Shape: <see cref="FileHeader"/>, then segments: <see cref="SegmentHeader"/>, nonce, ciphertext, tag. A write at the end is appended as
/// new segments in one write, so that an interrupted write only affects its own bytes. A write in the middle is appended
/// too, flushed, and only then the old place is wiped. Nonces are random and each file has its own key: no two plaintexts share a key and a nonce,
/// whatever is cut off, lost in a power failure or written again.</para>
/// <para>Bytes that cannot be authenticated read as zeros, which the checksums of the store then detect. An unfinished segment at the end of the file
/// counts as not written.</para>
/// <para>Not thread-safe except for <see cref="Sync"/>.</para>
/// </remarks>
internal sealed class EncryptedFile : IStoreFile
{
    // Maximum number of segments joined into one write to the disk.
    private const int MaxSegments = 16;
    private const int ScanBytes = 16 * 1024;

    private readonly IStoreFile _inner;
    private readonly StoreKeys _keys;
    private readonly SegmentMap _map = new();
    private AuthenticatedCipher? _cipher;

    // The position of the next segment; 0 before there is a header.
    private long _end;
    private ulong _number;
    private bool _hasRemains;

    /// <summary>Opens a file.</summary>
    /// <param name="inner">The real file; closed with this one.</param>
    /// <param name="keys">The keys.</param>
    /// <param name="name">Its name, for messages.</param>
    /// <exception cref="StoreException">It was encrypted with another key.</exception>
    public EncryptedFile(IStoreFile inner, StoreKeys keys, string name)
    {
        (_inner, _keys) = (inner, keys);
        try
        {
            if (inner.Length is var length and > 0) Open(length, name);
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public long Length => _map.Length;

    /// <inheritdoc/>
    public int Read(long offset, Span<byte> target)
    {
        var count = (int)Math.Clamp(Length - offset, 0, target.Length);
        target = target[..count];
        var extents = _map.Extents;
        var done = 0;
        for (var i = _map.FindFirst(offset); done < count && i < extents.Count; i++)
        {
            var extent = extents[i];
            if (extent.Offset >= offset + count) break;
            var from = (int)Math.Max(extent.Offset - offset, done);
            target[done..from].Clear();
            var length = (int)Math.Min(extent.End - (offset + from), count - from);
            Decrypt(extent, (int)(offset + from - extent.Offset), target.Slice(from, length));
            done = from + length;
        }
        target[done..].Clear();
        return count;
    }

    /// <inheritdoc/>
    public void Write(long offset, ReadOnlySpan<byte> bytes)
    {
        if (bytes.IsEmpty) return;
        var overlap = (int)Math.Clamp(Length - offset, 0, bytes.Length);
        if (overlap > 0) Overwrite(offset, bytes[..overlap]);
        if (overlap < bytes.Length) Append(offset + overlap, bytes[overlap..]);
    }

    /// <inheritdoc/>
    public void SetLength(long length)
    {
        if (length == Length) return;
        if (length < Length && _end > 0)
        {
            var kept = new SegmentMap();
            foreach (var extent in _map.Extents) kept.Add(extent);
            kept.SetLength(length);
            var end = kept.Extents.Aggregate((long)FileHeader.Bytes, static (end, extent) => Math.Max(end, EndOf(extent)));
            _inner.SetLength(end);
            (_end, _hasRemains) = (end, false);
        }
        _map.SetLength(length);
        if (_map.HasOwnEnd) WriteSegments([new SegmentHeader(SegmentKind.Cut, 0, length, 0)], default);
    }

    /// <inheritdoc/>
    public void Sync() => _inner.Sync();

    /// <inheritdoc/>
    public void Discard()
    {
        _cipher?.Dispose();
        _inner.Discard();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _cipher?.Dispose();
        _inner.Dispose();
    }

    private static long EndOf(SegmentMap.Extent extent) => extent.Position + SegmentHeader.Overhead + extent.Length;

    private void Open(long length, string name)
    {
        Span<byte> header = stackalloc byte[FileHeader.Bytes];
        header = header[.._inner.Read(0, header)];
        var isIntact = false;
        // A shorter file only has the beginning of a header: its creation was interrupted.
        _cipher = header.Length < FileHeader.Bytes ? null : FileHeader.Read(_keys.Main, header, out isIntact);
        if (_cipher is not null)
        {
            Scan(length);
            return;
        }
        if (isIntact) throw new StoreException(StoreFaultKind.IoError, $"{name} was encrypted with another key");
        // Damaged, or never encrypted. Its content is lost; what is written from now on is encrypted.
        _map.SetLength(Math.Max(0, length - FileHeader.Bytes - SegmentHeader.Overhead));
        _hasRemains = true;
    }

    private void Scan(long length)
    {
        _end = FileHeader.Bytes;
        var buffer = ArrayPool<byte>.Shared.Rent(ScanBytes);
        var (begin, count) = (0L, 0);
        var isTorn = false;
        while (_end + SegmentHeader.Bytes <= length)
        {
            if (_end < begin || _end + SegmentHeader.Bytes > begin + count) (begin, count) = (_end, _inner.Read(_end, buffer.AsSpan(0, ScanBytes)));
            if (!SegmentHeader.TryRead(buffer.AsSpan((int)(_end - begin), (int)(begin + count - _end)), out var header) || header.Number <= _number) break;
            isTorn = _end + SegmentHeader.Overhead + header.Length > length;
            if (isTorn || (header.Kind == SegmentKind.Cut && !IsAuthentic(_end, header))) break;
            Apply(header);
        }
        ArrayPool<byte>.Shared.Return(buffer);
        if (_end == length) return;
        if (!isTorn) Search(length);
        _hasRemains = _end < length;
    }

    private void Apply(SegmentHeader header)
    {
        if (header.Kind == SegmentKind.Cut) _map.SetLength(header.Offset);
        else _map.Add(new SegmentMap.Extent(header.Offset, _end, header.Length, 0, header.Length));
        _number = header.Number;
        _end += SegmentHeader.Overhead + header.Length;
    }

    // A header is damaged: the following segments are found by theirs. Only authentic ones are accepted.
    private void Search(long length)
    {
        var rest = new byte[length - _end];
        var start = _end;
        _inner.Read(start, rest);
        if (rest.AsSpan().IndexOfAnyExcept((byte)0) < 0) return;
        var isLastDamaged = true;
        for (var i = 0; i + SegmentHeader.Overhead <= rest.Length;)
        {
            if (!SegmentHeader.TryRead(rest.AsSpan(i), out var header) || header.Number <= _number
                || i + SegmentHeader.Overhead + header.Length > rest.Length || !IsAuthentic(start + i, header))
            {
                i++;
                continue;
            }
            _end = start + i;
            Apply(header);
            i = (int)(_end - start);
            isLastDamaged = i < rest.Length;
        }
        // There are bytes after the last known segment, with unknown content.
        var unknown = length - _end;
        if (!isLastDamaged || unknown <= SegmentHeader.Overhead || rest.AsSpan((int)(_end - start)).IndexOfAnyExcept((byte)0) < 0) return;
        _map.SetLength(_map.Length + unknown - SegmentHeader.Overhead);
        _end = length;
    }

    private bool IsAuthentic(long position, SegmentHeader header)
    {
        var plain = ArrayPool<byte>.Shared.Rent(Math.Max(1, header.Length));
        try
        {
            return TryDecrypt(position, header.Length, plain.AsSpan(0, header.Length));
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(plain, clearArray: true);
        }
    }

    private bool TryDecrypt(long position, int length, Span<byte> plain)
    {
        var total = SegmentHeader.Overhead + length;
        var buffer = ArrayPool<byte>.Shared.Rent(total);
        try
        {
            var segment = buffer.AsSpan(0, total);
            if (_inner.Read(position, segment) == total && SegmentHeader.TryRead(segment, out var header) && header.Length == length)
                return _cipher!.TryDecrypt(segment[SegmentHeader.Bytes..], plain, segment[..SegmentHeader.Bytes]);
            plain.Clear();
            return false;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    private void Decrypt(SegmentMap.Extent extent, int from, Span<byte> target)
    {
        if (target.Length == extent.Length)
        {
            TryDecrypt(extent.Position, extent.Length, target);
            return;
        }
        var plain = ArrayPool<byte>.Shared.Rent(extent.Length);
        TryDecrypt(extent.Position, extent.Length, plain.AsSpan(0, extent.Length));
        plain.AsSpan(extent.Skipped + from, target.Length).CopyTo(target);
        ArrayPool<byte>.Shared.Return(plain, clearArray: true);
    }

    private void Append(long offset, ReadOnlySpan<byte> bytes)
    {
        Span<SegmentHeader> headers = stackalloc SegmentHeader[MaxSegments];
        while (!bytes.IsEmpty)
        {
            var (count, length) = (0, 0);
            for (; count < headers.Length && length < bytes.Length; count++)
            {
                var part = Math.Min(SegmentHeader.MaxLength, bytes.Length - length);
                headers[count] = new SegmentHeader(SegmentKind.Data, part, offset + length, 0);
                length += part;
            }
            WriteSegments(headers[..count], bytes[..length]);
            offset += length;
            bytes = bytes[length..];
        }
    }

    // Whole segments are written again, so that each old one can be wiped.
    private void Overwrite(long offset, ReadOnlySpan<byte> bytes)
    {
        var replaced = new List<SegmentMap.Extent>();
        var at = offset;
        for (var i = _map.FindFirst(offset); i < _map.Extents.Count && _map.Extents[i].Offset < offset + bytes.Length; i++) replaced.Add(_map.Extents[i]);
        foreach (var extent in replaced)
        {
            if (extent.Offset > at) Append(at, bytes[(int)(at - offset)..(int)(extent.Offset - offset)]);
            var plain = new byte[extent.Visible];
            Decrypt(extent, 0, plain);
            var from = (int)Math.Max(0, extent.Offset - offset);
            var to = (int)Math.Min(bytes.Length, extent.End - offset);
            bytes[from..to].CopyTo(plain.AsSpan((int)(offset + from - extent.Offset)));
            WriteSegments([new SegmentHeader(SegmentKind.Data, plain.Length, extent.Offset, 0)], plain);
            at = extent.End;
        }
        if (at < offset + bytes.Length) Append(at, bytes[(int)(at - offset)..]);
        if (replaced.Count == 0) return;
        _inner.Sync();
        foreach (var extent in replaced)
            _inner.Write(extent.Position + SegmentHeader.Bytes, new byte[AuthenticatedCipher.NonceBytes + extent.Length + AuthenticatedCipher.TagBytes]);
    }

    // One write to the disk. Numbers are assigned here; a failed write may be there in part, and the next write overwrites it.
    private void WriteSegments(ReadOnlySpan<SegmentHeader> headers, ReadOnlySpan<byte> plain)
    {
        if (_hasRemains)
        {
            _inner.SetLength(_end);
            _hasRemains = false;
        }
        var first = _end == 0 ? FileHeader.Bytes : 0;
        var total = first + plain.Length + headers.Length * SegmentHeader.Overhead;
        var buffer = ArrayPool<byte>.Shared.Rent(total);
        try
        {
            var created = first > 0 ? FileHeader.Create(_keys.Main, _keys.Cipher, buffer) : null;
            if (created is not null)
            {
                _cipher?.Dispose();
                _cipher = created;
            }
            var at = first;
            var rest = plain;
            foreach (var header in headers)
            {
                var target = buffer.AsSpan(at, SegmentHeader.Overhead + header.Length);
                (header with { Number = ++_number }).Write(target);
                _cipher!.Encrypt(rest[..header.Length], target[SegmentHeader.Bytes..], target[..SegmentHeader.Bytes]);
                rest = rest[header.Length..];
                at += target.Length;
            }
            _hasRemains = true;
            _inner.Write(_end, buffer.AsSpan(0, total));
            _hasRemains = false;
            var position = _end + first;
            foreach (var header in headers)
            {
                if (header.Kind == SegmentKind.Data) _map.Add(new SegmentMap.Extent(header.Offset, position, header.Length, 0, header.Length));
                position += SegmentHeader.Overhead + header.Length;
            }
            _end = position;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }
}
