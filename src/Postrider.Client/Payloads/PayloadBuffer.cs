// Hot path: client NatsSession -> this. Allocations: none once the thread's buffer has grown.
using System.Buffers;

namespace Postrider.Client.Payloads;

/// <summary>A thread's buffer for payloads whose length is unknown before they are written.</summary>
internal sealed class PayloadBuffer : IBufferWriter<byte>
{
    private const int FirstBytes = 1024;

    // A larger buffer is not kept.
    private const int KeptBytes = 256 * 1024;

    [ThreadStatic] private static PayloadBuffer? _idle;

    private byte[] _bytes = new byte[FirstBytes];
    private int _length;

    private PayloadBuffer()
    {
    }

    public ReadOnlySpan<byte> Written => _bytes.AsSpan(0, _length);

    /// <summary>Takes the thread's buffer; nested use gets another.</summary>
    public static PayloadBuffer Take()
    {
        var buffer = _idle ?? new PayloadBuffer();
        _idle = null;
        return buffer;
    }

    /// <summary>Returns the buffer, on the same thread.</summary>
    public void Release()
    {
        if (_bytes.Length > KeptBytes) _bytes = new byte[FirstBytes];
        _length = 0;
        _idle = this;
    }

    public void Advance(int count) => _length += count;

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Ensure(sizeHint);
        return _bytes.AsMemory(_length);
    }

    public Span<byte> GetSpan(int sizeHint = 0)
    {
        Ensure(sizeHint);
        return _bytes.AsSpan(_length);
    }

    private void Ensure(int bytes)
    {
        if (_bytes.Length - _length >= Math.Max(1, bytes)) return;
        Array.Resize(ref _bytes, Math.Max(_bytes.Length * 2, _length + bytes));
    }
}
