using Microsoft.Extensions.DependencyInjection;
using Postrider.Dispatch;
using Postrider.HostingTests.Testing;

namespace Postrider.HostingTests.Dispatch;

/// <summary>What is posted is handled by one worker, whoever posted it.</summary>
public sealed class BackgroundQueueTests
{
    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Handlers_see_no_ambient_values_of_a_poster_and_none_of_each_other()
    {
        var ambient = new AsyncLocal<string?> { Value = "poster" };
        var seen = new List<(string Item, string? Value)>();
        await using var services = new ServiceCollection()
            .AddSingleton<OrderNotes>()
            .AddPostrider(options => options.ReplaceNotification<OrderPlaced>((placed, _) =>
            {
                // Not an async method: what it sets stays set when it returns.
                seen.Add((placed.Item, ambient.Value));
                ambient.Value = placed.Item;
                return (seen.Count % 4) switch
                {
                    0 => throw new InvalidOperationException("planned"),
                    1 => new ValueTask(Task.Run(static () => { })),
                    2 => ValueTask.FromException(new InvalidOperationException("planned")),
                    _ => default,
                };
            }))
            .BuildServiceProvider();

        for (var i = 0; i < 100; i++)
            await services.GetRequiredService<IDispatcher>().PostAsync(new OrderPlaced($"{i}"), Ct);
        await services.GetRequiredService<BackgroundQueue>().StopAsync(Ct);

        Assert.Equal(Enumerable.Range(0, 100).Select(static i => ($"{i}", (string?)null)), seen);
        Assert.Equal("poster", ambient.Value);
    }

    [Fact]
    public async Task Handler_that_starts_something_that_posts_without_end_is_stopped_at_sixteen_times_the_length()
    {
        var ended = new TaskCompletionSource<(int Accepted, PostriderException Failure)>(TaskCreationOptions.RunContinuationsAsynchronously);
        var release = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        IDispatcher? dispatcher = null;
        await using var services = new ServiceCollection()
            .AddSingleton<OrderNotes>()
            .AddPostrider(options =>
            {
                options.BackgroundQueueLength = 4;
                options.ReplaceNotification<OrderPlaced>(async (placed, ct) =>
                {
                    if (placed.Item == "first") _ = PostWithoutEnd();
                    await release.Task;
                });
            })
            .BuildServiceProvider();
        dispatcher = services.GetRequiredService<IDispatcher>();

        await dispatcher.PostAsync(new OrderPlaced("first"), Ct);
        var (accepted, failure) = await ended.Task.WaitAsync(Ct);
        release.SetResult();
        await services.GetRequiredService<BackgroundQueue>().StopAsync(Ct);

        Assert.Equal((4 + (16 * 4), PostriderError.QueueFull), (accepted, failure.Error));

        async Task PostWithoutEnd()
        {
            for (var i = 0; ; i++)
            {
                try
                {
                    await dispatcher!.PostAsync(new OrderPlaced("next"), Ct);
                }
                catch (PostriderException full)
                {
                    ended.SetResult((i, full));
                    return;
                }
            }
        }
    }

    [Fact]
    public async Task Post_that_is_cancelled_while_the_queue_is_full_leaves_nothing_to_wait_for()
    {
        var begun = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var gate = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var seen = new List<string>();
        await using var app = await HarnessApp.StartAsync(
            options =>
            {
                options.BackgroundQueueLength = 1;
                options.ReplaceNotification<OrderPlaced>(async (placed, _) =>
                {
                    seen.Add(placed.Item);
                    begun.TrySetResult();
                    await gate.Task;
                });
            },
            static _ => { });
        // One is handled, one waits, and there is no room for the third.
        await app.Dispatcher.PostAsync(new OrderPlaced("1"), Ct);
        await begun.Task.WaitAsync(Ct);
        await app.Dispatcher.PostAsync(new OrderPlaced("2"), Ct);
        using var cancel = CancellationTokenSource.CreateLinkedTokenSource(Ct);
        var third = app.Dispatcher.PostAsync(new OrderPlaced("3"), cancel.Token).AsTask();
        Assert.False(third.IsCompleted);

        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => third);
        gate.SetResult();
        await app.Harness.IdleAsync(Ct);

        Assert.Equal(["1", "2"], seen);
    }

    [Fact]
    public async Task Posters_that_wait_for_room_lose_nothing_and_keep_their_order()
    {
        const int posters = 8;
        const int messages = 2_000;
        var seen = new List<string>();
        await using var services = new ServiceCollection()
            .AddSingleton<OrderNotes>()
            .AddPostrider(options =>
            {
                options.BackgroundQueueLength = 3;
                options.ReplaceNotification<OrderPlaced>((placed, _) =>
                {
                    seen.Add(placed.Item);
                    return default;
                });
            })
            .BuildServiceProvider();
        var dispatcher = services.GetRequiredService<IDispatcher>();
        var queue = services.GetRequiredService<BackgroundQueue>();

        await Task.WhenAll(Enumerable.Range(0, posters).Select(poster => Task.Run(
            async () =>
            {
                for (var i = 0; i < messages; i++)
                    await dispatcher.PostAsync(new OrderPlaced($"{poster} {i}"), Ct);
            },
            Ct)));
        await queue.StopAsync(Ct);

        Assert.Equal(0, queue.Count);
        for (var poster = 0; poster < posters; poster++)
            Assert.Equal(Enumerable.Range(0, messages).Select(i => $"{poster} {i}"), seen.Where(item => item.StartsWith($"{poster} ", StringComparison.Ordinal)));
        var refused = await Assert.ThrowsAsync<PostriderException>(() => dispatcher.PostAsync(new OrderPlaced("late"), Ct).AsTask());
        Assert.Equal(PostriderError.QueueFull, refused.Error);
    }
}
