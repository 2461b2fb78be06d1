using System.Runtime.CompilerServices;
using System.Text;
using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

internal sealed class Files : IFiles
{
    public ValueTask<Stream> ReadAsync(string name) => new(new MemoryStream(Encoding.UTF8.GetBytes($"content of {name}")));

    public ValueTask<long> MeasureAsync(Stream content) => new(content.Length);

    public ValueTask<ReadOnlyMemory<byte>> ReverseAsync(Memory<byte> content)
    {
        content.Span.Reverse();
        return new(content);
    }

    public ValueTask<byte[]> TakeAsync(byte[] content, int count) => new(content[..count]);

    public ValueTask<byte[]> FailAsync(byte[] content) => content.Length == 0 ? new((byte[])null!) : throw new RpcFaultException<SoldOut>(new(content.Length, "space"), "Full.");

    public async IAsyncEnumerable<ReadOnlyMemory<byte>> CutAsync(Stream content, [EnumeratorCancellation] CancellationToken ct = default)
    {
        for (var left = content.Length; left > 0; left -= 1000)
        {
            var piece = new byte[Math.Min(left, 1000)];
            await content.ReadExactlyAsync(piece, ct);
            yield return piece;
        }
    }
}
