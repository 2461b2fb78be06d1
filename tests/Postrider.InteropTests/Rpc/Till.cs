using Postrider.Rpc;

namespace Postrider.InteropTests.Rpc;

internal sealed class Till : ITill
{
    public ValueTask<int> AddAsync(int first, int second) => new(first + second);

    public ValueTask<string> TakeAsync(string item)
        => item == "tea" ? throw new RpcFaultException<SoldOut>(new("tea", 0), "No tea is left.") : new($"a {item}");

    public async IAsyncEnumerable<int> CountAsync(int last)
    {
        for (var i = 1; i <= last; i++)
        {
            await Task.Yield();
            yield return i < 4 ? i : throw new RpcException(RpcStatus.Busy, "That is too many.");
        }
    }

    public async Task<long> SumAsync(string label, IAsyncEnumerable<int> numbers)
    {
        long sum = 0;
        await foreach (var number in numbers)
            sum += number;
        return sum;
    }
}
