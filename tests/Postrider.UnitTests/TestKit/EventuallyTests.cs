namespace Postrider.UnitTests.TestKit;

public sealed class EventuallyTests
{
    private static readonly TimeSpan Short = TimeSpan.FromMilliseconds(20);

    private int _asked;

    [Fact]
    public async Task What_holds_later_is_asked_for_until_it_does()
    {
        await Eventually.HoldsAsync(() => ++_asked == 3);
        await Eventually.HoldsAsync(async () => await Task.FromResult(++_asked == 5));

        Assert.Equal(5, _asked);
    }

    [Fact]
    public async Task What_never_holds_is_told_in_the_words_of_the_source()
    {
        var vain = await Assert.ThrowsAsync<TimeoutException>(() => Eventually.HoldsAsync(() => _asked < 0, Short));

        Assert.Matches(@"^Waited \d+\.\d s in vain for: \(\) => _asked < 0$", vain.Message);
    }

    [Fact]
    public async Task Question_that_is_never_answered_is_not_waited_for_without_end()
    {
        var silence = new TaskCompletionSource<bool>();

        var vain = await Assert.ThrowsAsync<TimeoutException>(() => Eventually.HoldsAsync(() => silence.Task, Short, "an answer"));

        Assert.EndsWith("for: an answer", vain.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Question_that_is_cancelled_says_what_it_waited_for()
    {
        var vain = await Assert.ThrowsAsync<TimeoutException>(() => Eventually.HoldsAsync(() => Task.FromCanceled<bool>(new CancellationToken(true))));

        Assert.Contains("for: () => Task.FromCanceled", vain.Message, StringComparison.Ordinal);
        Assert.IsType<TaskCanceledException>(vain.InnerException);
    }

    [Fact]
    public async Task What_is_there_later_is_given_and_a_failure_ends_the_wait()
    {
        Assert.Equal("here", await Eventually.GivesAsync(() => Task.FromResult(++_asked == 3 ? "here" : null)));

        await Assert.ThrowsAsync<FormatException>(() => Eventually.GivesAsync(() => Task.FromException<string?>(new FormatException())));
    }

    [Fact]
    public async Task What_may_fail_is_done_again_until_it_succeeds()
    {
        Assert.Equal(3, await Eventually.SucceedsAsync<FormatException, int>(() => ++_asked < 3 ? throw new FormatException() : Task.FromResult(_asked)));

        await Assert.ThrowsAsync<ArgumentException>(() => Eventually.SucceedsAsync<FormatException, int>(() => throw new ArgumentException("no")));
        await Assert.ThrowsAsync<FormatException>(() => Eventually.SucceedsAsync<FormatException, int>(() => throw new FormatException(), static _ => false));
        var vain = await Assert.ThrowsAsync<TimeoutException>(() => Eventually.SucceedsAsync<FormatException, int>(() => throw new FormatException(), within: Short));
        Assert.IsType<FormatException>(vain.InnerException);
    }
}
