using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Text;

namespace Postrider.CommandLine.Terminal;

/// <summary>Standard output whose reader may exit, such as <c>head</c>. The console's own stream ignores that: a command would run on, and
/// acknowledge messages that nobody has seen.</summary>
/// <remarks>Not thread-safe; the writer of the console, which is, uses one of its own.</remarks>
internal sealed partial class StandardOutput : Stream
{
    private const int Descriptor = 1;

    // POLLERR: of a pipe, that no reader is left.
    private const short Broken = 8;

    // Of the console's writer: most lines are one write.
    private const int BufferSize = 16 * 1024;

    private readonly Stream _inner;

    private StandardOutput(Stream inner) => _inner = inner;

    public override bool CanRead => false;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <summary>Opens it for bytes.</summary>
    internal static Stream Open()
    {
        try
        {
            return Console.IsOutputRedirected && OperatingSystem.IsLinux() ? new StandardOutput(Console.OpenStandardOutput()) : Console.OpenStandardOutput();
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // It was closed before the start.
            return Null;
        }
    }

    /// <summary>Makes <see cref="Console.Out"/> write to it.</summary>
    internal static void Install()
    {
        if (Console.IsOutputRedirected) Console.SetOut(new StreamWriter(Open(), new UTF8Encoding(encoderShouldEmitUTF8Identifier: false), BufferSize) { AutoFlush = true });
    }

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        _inner.Write(buffer);
        if (OperatingSystem.IsLinux()) Check();
    }

    public override void Flush() => _inner.Flush();

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        if (disposing) _inner.Dispose();
        base.Dispose(disposing);
    }

    [SupportedOSPlatform("linux")]
    private static void Check()
    {
        var output = new Poll { Descriptor = Descriptor };
        if (PollOne(ref output, 1, 0) > 0 && (output.Found & Broken) != 0) throw new OutputClosedException();
    }

    [LibraryImport("libc", EntryPoint = "poll")]
    private static partial int PollOne(ref Poll output, nuint count, int milliseconds);

    [StructLayout(LayoutKind.Sequential)]
    private struct Poll
    {
        public int Descriptor;
        public short Asked;
        public short Found;
    }
}
