using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

/// <summary>Messages that are bytes.</summary>
[Service("files")]
public interface IFiles
{
    ValueTask<Stream> ReadAsync(string name);

    ValueTask<long> MeasureAsync(Stream content);

    ValueTask<ReadOnlyMemory<byte>> ReverseAsync(Memory<byte> content);

    ValueTask<byte[]> TakeAsync(byte[] content, int count);

    [Fault(typeof(SoldOut))]
    ValueTask<byte[]> FailAsync(byte[] content);

    IAsyncEnumerable<ReadOnlyMemory<byte>> CutAsync(Stream content, CancellationToken ct = default);
}
