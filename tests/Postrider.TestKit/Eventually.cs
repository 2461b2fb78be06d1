using System.Diagnostics;
using System.Globalization;
using System.Runtime.CompilerServices;

namespace Postrider.TestKit;

/// <summary>Waits for what comes true by and by and tells nobody, by asking every 10 ms. What can be awaited is awaited instead.</summary>
/// <remarks>A wait in vain ends with a <see cref="TimeoutException"/> that says what was waited for in the words of the test's source;
/// so does one whose question is cancelled.</remarks>
public static class Eventually
{
    /// <summary>How long is waited where nothing else is said. Only a failure takes so long.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(10);

    /// <summary>Waits until a condition holds.</summary>
    /// <param name="condition">Asked at once and then again and again, never twice at a time.</param>
    /// <param name="within">How long is waited; <see cref="Patience"/> without.</param>
    /// <param name="what">What was waited for.</param>
    public static Task HoldsAsync(Func<bool> condition, TimeSpan? within = null, [CallerArgumentExpression(nameof(condition))] string what = "")
        => HoldsAsync(() => Task.FromResult(condition()), within, what);

    /// <inheritdoc cref="HoldsAsync(Func{bool}, TimeSpan?, string)"/>
    public static async Task HoldsAsync(Func<Task<bool>> condition, TimeSpan? within = null, [CallerArgumentExpression(nameof(condition))] string what = "")
    {
        var wait = new Wait(within ?? Patience, what);
        while (!await wait.For(condition()))
            await wait.PauseAsync();
    }

    /// <summary>Waits until nothing is missing any more.</summary>
    /// <param name="missing">What is missing; asked at once and then again and again. A wait in vain names what was missing last.</param>
    /// <param name="within">How long is waited; <see cref="Patience"/> without.</param>
    /// <param name="what">What was waited for.</param>
    public static async Task EmptyAsync(Func<IEnumerable<string>> missing, TimeSpan? within = null, [CallerArgumentExpression(nameof(missing))] string what = "")
    {
        var wait = new Wait(within ?? Patience, what);
        while (missing().ToArray() is { Length: > 0 } names)
            await wait.PauseAsync(new InvalidOperationException($"Still missing: {string.Join(", ", names)}."));
    }

    /// <summary>Waits until there is something.</summary>
    /// <param name="look">What to look for; null as long as it is not there. An exception of it ends the wait.</param>
    /// <param name="within">How long is waited; <see cref="Patience"/> without.</param>
    /// <param name="what">What was waited for.</param>
    /// <returns>What was found.</returns>
    public static async Task<T> GivesAsync<T>(Func<Task<T?>> look, TimeSpan? within = null, [CallerArgumentExpression(nameof(look))] string what = "")
        where T : class
    {
        var wait = new Wait(within ?? Patience, what);
        T? found;
        while ((found = await wait.For(look())) is null)
            await wait.PauseAsync();
        return found;
    }

    /// <summary>Does something again and again until it succeeds.</summary>
    /// <typeparam name="TFailure">The exception by which it may fail until then; any other ends the wait.</typeparam>
    /// <typeparam name="T">What it gives.</typeparam>
    /// <param name="act">What is done.</param>
    /// <param name="mayFail">Which of those exceptions; all without.</param>
    /// <param name="within">How long is waited; <see cref="Patience"/> without. The last failure is the inner exception then.</param>
    /// <param name="what">What was waited for.</param>
    /// <returns>What it gave.</returns>
    public static async Task<T> SucceedsAsync<TFailure, T>(
        Func<Task<T>> act, Func<TFailure, bool>? mayFail = null, TimeSpan? within = null, [CallerArgumentExpression(nameof(act))] string what = "")
        where TFailure : Exception
    {
        var wait = new Wait(within ?? Patience, what);
        while (true)
        {
            try
            {
                return await wait.For(act());
            }
            catch (TFailure failure) when (failure is not TimeoutException && mayFail?.Invoke(failure) != false)
            {
                await wait.PauseAsync(failure);
            }
        }
    }

    private readonly struct Wait(TimeSpan limit, string what)
    {
        private readonly long _began = Stopwatch.GetTimestamp();

        private TimeSpan Left => limit - Stopwatch.GetElapsedTime(_began);

        public async Task<T> For<T>(Task<T> answer)
        {
            if (!answer.IsCompleted && await Task.WhenAny(answer, Task.Delay(Left > TimeSpan.Zero ? Left : TimeSpan.Zero)) != answer)
                throw InVain(null);
            try
            {
                return await answer;
            }
            catch (OperationCanceledException cancelled)
            {
                // A limit of the test's own that is shorter.
                throw InVain(cancelled);
            }
        }

        public async Task PauseAsync(Exception? failure = null)
        {
            if (Left <= TimeSpan.Zero)
                throw InVain(failure);
            await Task.Delay(Pause);
        }

        private TimeoutException InVain(Exception? failure)
            => new(string.Create(CultureInfo.InvariantCulture, $"Waited {Stopwatch.GetElapsedTime(_began).TotalSeconds:0.0} s in vain for: {what}"), failure);
    }
}
