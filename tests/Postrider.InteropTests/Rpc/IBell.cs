using Postrider.Rpc;

namespace Postrider.InteropTests.Rpc;

/// <summary>A stream that a page's <c>EventSource</c> reads.</summary>
[Service("bell")]
public interface IBell
{
    [HttpGet("bell/{last}")]
    IAsyncEnumerable<int> RingAsync(int last);
}
