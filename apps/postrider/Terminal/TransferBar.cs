using System.Globalization;
using Spectre.Console;

namespace Postrider.CommandLine.Terminal;

/// <summary>A live progress bar for bytes read or written: the number of bytes, the total, the rate and the remaining time.</summary>
/// <remarks>It is drawn on standard error, and only if that is a terminal.</remarks>
internal sealed class TransferBar
{
    private readonly ProgressTask? _task;

    private TransferBar(ProgressTask? task) => _task = task;

    /// <summary>Whether there is a terminal to draw on.</summary>
    internal static bool IsShown => !Console.IsErrorRedirected;

    /// <summary>Shows a bar while something is transferred.</summary>
    /// <param name="title">The text before the bar.</param>
    /// <param name="bytes">The total; zero if it is not known.</param>
    /// <param name="run">Transfers; it is given the bar.</param>
    internal static Task<T> RunAsync<T>(string title, long bytes, Func<TransferBar, Task<T>> run)
        => IsShown ? RunAsync(title, bytes, run, AnsiConsole.Create(new AnsiConsoleSettings { Out = new AnsiConsoleOutput(Console.Error), ColorSystem = Colours.AreOn ? ColorSystemSupport.Detect : ColorSystemSupport.NoColors })) : run(new TransferBar(null));

    /// <summary>The same on a console of the caller's.</summary>
    internal static Task<T> RunAsync<T>(string title, long bytes, Func<TransferBar, Task<T>> run, IAnsiConsole console)
    {
        ProgressColumn[] columns = bytes > 0
            ? [new TaskDescriptionColumn(), new ProgressBarColumn(), new PercentageColumn(), new DownloadedColumn { Culture = CultureInfo.InvariantCulture }, new TransferSpeedColumn { Culture = CultureInfo.InvariantCulture }, new RemainingTimeColumn()]
            : [new TaskDescriptionColumn(), new SpinnerColumn(), new DownloadedColumn { Culture = CultureInfo.InvariantCulture }, new TransferSpeedColumn { Culture = CultureInfo.InvariantCulture }];
        return console.Progress().AutoClear(true).Columns(columns).StartAsync(context =>
        {
            var task = context.AddTask(Markup.Escape(title), maxValue: bytes > 0 ? bytes : double.MaxValue);
            return run(new TransferBar(task));
        });
    }

    /// <summary>A stream whose bytes advance the bar.</summary>
    /// <param name="stream">The stream that is read or written; the caller disposes it.</param>
    internal Stream Counts(Stream stream) => _task is null ? stream : new CountingStream(stream, _task);

    private sealed class CountingStream(Stream inner, ProgressTask task) : Stream
    {
        public override bool CanRead => inner.CanRead;

        public override bool CanSeek => false;

        public override bool CanWrite => inner.CanWrite;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            var read = await inner.ReadAsync(buffer, cancellationToken);
            task.Increment(read);
            return read;
        }

        public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
            => ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

        public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            await inner.WriteAsync(buffer, cancellationToken);
            task.Increment(buffer.Length);
        }

        public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
            => WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

        public override Task FlushAsync(CancellationToken cancellationToken) => inner.FlushAsync(cancellationToken);

        public override void Flush() => inner.Flush();

        public override int Read(byte[] buffer, int offset, int count)
        {
            var read = inner.Read(buffer, offset, count);
            task.Increment(read);
            return read;
        }

        public override void Write(byte[] buffer, int offset, int count)
        {
            inner.Write(buffer, offset, count);
            task.Increment(count);
        }

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();
    }
}
