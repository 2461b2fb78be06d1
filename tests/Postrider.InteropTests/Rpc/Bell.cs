namespace Postrider.InteropTests.Rpc;

internal sealed class Bell : IBell
{
    public IAsyncEnumerable<int> RingAsync(int last) => new Till().CountAsync(last);
}
