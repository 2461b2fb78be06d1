using Postrider.Flow;
using Postrider.Flow.Outcomes;

namespace Postrider.UnitTests.Flow;

public sealed class PartialResultsTests
{
    [Fact]
    public async Task Cancelled_operation_keeps_the_results_so_far()
    {
        var results = await CancelAtFive(PartialResults.Keep);

        Assert.Equal([0, 1, 2, 3, 4], results);
    }

    [Theory]
    [InlineData(PartialResults.Throw)]
    [InlineData(PartialResults.Cancel)]
    public async Task Cancelled_operation_throws_unless_told_to_keep_its_results(PartialResults partial)
        => await Assert.ThrowsAnyAsync<OperationCanceledException>(() => CancelAtFive(partial));

    private static async Task<int[]> CancelAtFive(PartialResults partial)
    {
        using var cancel = new CancellationTokenSource();
        return await Enumerable.Range(0, 10).ToArray().SelectParallelAsync(
            async (item, _) =>
            {
                if (item != 5)
                    return item;
                await cancel.CancelAsync();
                throw new OperationCanceledException(cancel.Token);
            },
            new FlowOptions { MaxConcurrency = 1, MaxThreads = 1, Errors = ErrorMode.Skip, Partial = partial },
            cancel.Token);
    }
}
