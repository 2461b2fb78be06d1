using System.Threading.Channels;
using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

/// <summary>Gives files, waits for notes to be let go.</summary>
internal sealed class Depot : IDepot
{
    /// <summary>The bytes of the small file.</summary>
    public const string Text = "0123456789abcdefghij";

    /// <summary>When it last changed.</summary>
    public static readonly DateTimeOffset Changed = new(2026, 1, 31, 12, 30, 0, TimeSpan.Zero);

    /// <summary>Notes as they begin.</summary>
    public Channel<string> Began { get; } = Channel.CreateUnbounded<string>();

    /// <summary>Notes as they end.</summary>
    public Channel<string> Ended { get; } = Channel.CreateUnbounded<string>();

    /// <summary>Lets notes end.</summary>
    public SemaphoreSlim Gate { get; } = new(0);

    /// <summary>The stream of the file without end was closed.</summary>
    public TaskCompletionSource Closed { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public ValueTask<RpcFile> FileAsync(string kind, CallContext? context = null, CancellationToken ct = default) => new(kind switch
    {
        "small" => new RpcFile(new MemoryStream(System.Text.Encoding.ASCII.GetBytes(Text)), "text/plain")
        {
            Name = "gr\u00F6sse.txt",
            EntityTag = "\"v1\"",
            LastModified = Changed,
            CacheControl = "public, max-age=60",
        },
        "inline" => new RpcFile(new MemoryStream([1, 2, 3]), "image/png") { Name = "a.png", IsInline = true },
        "bytes" => RpcFile.FromBytes([1, 2, 3]),
        "endless" => new RpcFile(new Zeros(long.MaxValue, () => Closed.TrySetResult())),
        "none" => null!,
        _ when long.TryParse(kind, out var length) => new RpcFile(new Zeros(length, static () => { })),
        _ => RpcFile.FromPath(kind),
    });

    public async ValueTask NoteAsync(string text)
    {
        Began.Writer.TryWrite(text);
        await Gate.WaitAsync();
        Ended.Writer.TryWrite(text);
        if (text == "bad")
            throw new InvalidOperationException("told to the log");
    }

    public ValueTask<string> OpenAsync() => new("open");

    public ValueTask<string> KnownAsync(CallContext? context = null) => new(context?.User?.Identity?.Name ?? "nobody");

    public ValueTask<string> KeptAsync() => new("kept");

    public ValueTask<string> RareAsync() => new("rare");

    public ValueTask<string> LongAsync(int letters) => new(new string('a', letters));

    public ValueTask<int> MeasureAsync(string text) => new(text.Length);

    public ValueTask<int> FailAsync() => throw new RpcException(RpcStatus.Forbidden, "no");

    public async IAsyncEnumerable<int> CountAsync(int last)
    {
        for (var i = 1; i <= last; i++)
        {
            await Task.Yield();
            yield return i;
        }
    }

    /// <summary>Nothing but zeros, which are in no memory.</summary>
    private sealed class Zeros(long length, Action closed) : Stream
    {
        private long _position;

        public override bool CanRead => true;

        public override bool CanSeek => length < long.MaxValue;

        public override bool CanWrite => false;

        public override long Length => length;

        public override long Position { get => _position; set => _position = value; }

        public override int Read(Span<byte> buffer)
        {
            var count = (int)Math.Min(buffer.Length, length - _position);
            buffer[..count].Clear();
            _position += count;
            return count;
        }

        public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => new(Read(buffer.Span));

        public override long Seek(long offset, SeekOrigin origin)
            => _position = origin switch { SeekOrigin.Begin => offset, SeekOrigin.Current => _position + offset, _ => length + offset };

        public override void Flush()
        {
        }

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        protected override void Dispose(bool disposing)
        {
            closed();
            base.Dispose(disposing);
        }
    }
}
