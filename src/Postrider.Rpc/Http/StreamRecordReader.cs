using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;

namespace Postrider.Rpc.Http;

/// <summary>Reads the records of a body.</summary>
/// <remarks>Data that was not requested stays with the sender, which provides back-pressure. For one reader.</remarks>
internal sealed class StreamRecordReader(
    PipeReader input, StreamFormat format, int maxBytes, Func<CallFailure, Exception> fail, Func<IOException, Exception>? unreadable = null) : IDisposable
{
    // The longest prefix of a record in either frame format.
    private const int MaxHeadBytes = 5;

    private ReadOnlySequence<byte> _rest;
    private bool _isReading;
    private bool _isWhole;

    /// <summary>The first record: the operation's message.</summary>
    /// <exception cref="RpcException">There is no record, or it cannot be read.</exception>
    public async ValueTask<T> ReadMessageAsync<T>(RpcFormatter<T> formatter, CancellationToken ct)
    {
        if (typeof(T) == typeof(Unit) && !format.WritesNothing)
            return default!;
        var (isThere, message) = await ReadAsync(formatter, mayBeEmpty: true, ct).ConfigureAwait(false);
        return isThere || typeof(T) == typeof(Unit) ? message! : throw new RpcException(RpcStatus.InvalidData, "The stream ended before its first message.");
    }

    /// <summary>The next item, if there is one.</summary>
    /// <exception cref="RpcException">It cannot be read, or it exceeds the limit.</exception>
    public ValueTask<(bool IsThere, T? Item)> ReadItemAsync<T>(RpcFormatter<T> formatter, CancellationToken ct) => ReadAsync(formatter, mayBeEmpty: format is not JsonLines, ct);

    /// <summary>Reads the remaining items.</summary>
    public async IAsyncEnumerable<T> ReadItemsAsync<T>(RpcFormatter<T> formatter, CancellationToken call, [EnumeratorCancellation] CancellationToken ct = default)
    {
        using var both = CancellationTokenSource.CreateLinkedTokenSource(call, ct);
        while (true)
        {
            var (isThere, item) = await ReadItemAsync(formatter, both.Token).ConfigureAwait(false);
            if (!isThere)
                yield break;
            yield return item!;
        }
    }

    /// <summary>Returns the read data to the pipe.</summary>
    public void Dispose()
    {
        if (_isReading)
            input.AdvanceTo(_rest.Start);
        _isReading = false;
        _isWhole = true;
        _rest = default;
    }

    private async ValueTask<(bool IsThere, T? Item)> ReadAsync<T>(RpcFormatter<T> formatter, bool mayBeEmpty, CancellationToken ct)
    {
        while (true)
        {
            if (TryTake(formatter, mayBeEmpty, out var item))
                return (true, item);
            if (_isWhole)
                return default;
            if (_isReading)
                input.AdvanceTo(_rest.Start, _rest.End);
            _isReading = false;
            ReadResult read;
            try
            {
                read = await input.ReadAsync(ct).ConfigureAwait(false);
            }
            catch (IOException broken) when (unreadable is not null)
            {
                throw unreadable(broken);
            }

            (_isReading, _isWhole, _rest) = (true, read.IsCompleted, read.Buffer);
        }
    }

    private bool TryTake<T>(RpcFormatter<T> formatter, bool mayBeEmpty, [MaybeNullWhen(false)] out T item)
    {
        while (true)
        {
            var kind = format.Read(ref _rest, _isWhole, out var record);
            if (kind == StreamRecordKind.Failure)
                throw fail(format.ReadFailure(record));
            if (record.Length > maxBytes || (kind == StreamRecordKind.None && _rest.Length > (long)maxBytes + MaxHeadBytes))
                throw new RpcException(RpcStatus.TooLarge, $"An item exceeds the limit of {maxBytes} bytes.");
            item = default;
            if (kind == StreamRecordKind.None)
                return false;
            if (record.IsEmpty && !mayBeEmpty)
                continue;
            item = formatter.Read(record);
            return true;
        }
    }
}
