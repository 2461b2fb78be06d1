namespace Postrider.HostingTests.Rpc;

internal sealed class Till(CallScope scope, Books books) : ITill
{
    public ValueTask<int> CountAsync(int coins)
    {
        books.Add(scope, coins);
        return new(coins + 1);
    }
}
