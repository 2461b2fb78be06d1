namespace Postrider.Middleware;

/// <summary>Runs a message once per key: a repeated message waits for the first one and gets its response. Failures are not remembered,
/// so that the next attempt runs.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
/// <param name="time">The clock; null for the system clock.</param>
/// <param name="options">Null for the defaults.</param>
/// <remarks>Thread-safe. Keys are remembered in this process only.</remarks>
[Middleware(Lifetime = HandlerLifetime.Singleton)]
public sealed class IdempotencyMiddleware<TRequest, TResponse>(TimeProvider? time = null, IdempotencyOptions? options = null)
    : IMiddleware<TRequest, TResponse>
    where TRequest : IIdempotent
{
    // The first calls that the current code is part of.
    private static readonly AsyncLocal<FirstCall?> s_running = new();

    private readonly TimeProvider _time = time ?? TimeProvider.System;
    private readonly TimeSpan _rememberFor = Checked((options ?? new()).RememberFor);
    private readonly int _maxKeys = Checked((options ?? new()).MaxKeys);
    private readonly Lock _sync = new(); // guards _answers and _expiring
    private readonly Dictionary<string, TaskCompletionSource<TResponse>> _answers = new(StringComparer.Ordinal);
    private readonly Queue<(string Key, DateTimeOffset Until)> _expiring = new();

    /// <inheritdoc/>
    public async ValueTask<TResponse> Handle(TRequest request, Next<TRequest, TResponse> next, CancellationToken ct)
    {
        var key = request.IdempotencyKey
            ?? throw new PostriderException(PostriderError.Configuration, $"The idempotency key of {typeof(TRequest)} is null.");
        while (true)
        {
            TaskCompletionSource<TResponse>? earlier;
            var own = new TaskCompletionSource<TResponse>(TaskCreationOptions.RunContinuationsAsynchronously);
            lock (_sync)
            {
                RemoveExpired();
                if (!_answers.TryGetValue(key, out earlier))
                {
                    if (_answers.Count >= _maxKeys)
                    {
                        throw new PostriderException(
                            PostriderError.QueueFull, $"{_maxKeys} idempotency keys of {typeof(TRequest)} are remembered, the maximum set by IdempotencyOptions.MaxKeys.");
                    }
                    _answers.Add(key, own);
                }
            }

            if (earlier is null)
                return await RunFirst(request, key, own, next, ct).ConfigureAwait(false);

            if (IsPartOf(earlier))
                throw new PostriderException(PostriderError.Configuration, $"The handling of {typeof(TRequest)} with the idempotency key '{key}' sends a message with the same key, which would wait for itself.");

            // The first one may fail: then its key is free again and this call takes its place.
            await ((Task)earlier.Task).WaitAsync(ct).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            ct.ThrowIfCancellationRequested();
            if (earlier.Task.IsCompletedSuccessfully)
                return await earlier.Task.ConfigureAwait(false);
        }
    }

    private async ValueTask<TResponse> RunFirst(
        TRequest request, string key, TaskCompletionSource<TResponse> own, Next<TRequest, TResponse> next, CancellationToken ct)
    {
        // Seen by what is called from here only: the value of an async method ends with it.
        s_running.Value = new FirstCall(own, s_running.Value);
        try
        {
            var response = await next.Invoke(request, ct).ConfigureAwait(false);
            lock (_sync)
                _expiring.Enqueue((key, Expiry.After(_time, _rememberFor)));
            own.SetResult(response);
            return response;
        }
        catch
        {
            lock (_sync)
                _answers.Remove(key);
            own.SetCanceled(CancellationToken.None);
            throw;
        }
    }

    private static bool IsPartOf(TaskCompletionSource<TResponse> earlier)
    {
        for (var call = s_running.Value; call is not null; call = call.Outer)
            if (ReferenceEquals(call.Response, earlier)) return true;
        return false;
    }

    private static TimeSpan Checked(TimeSpan rememberFor)
        => rememberFor >= TimeSpan.Zero
            ? rememberFor
            : throw new PostriderException(
                PostriderError.Configuration, $"IdempotencyOptions.RememberFor of {typeof(TRequest)} is {rememberFor}; it must not be negative.");

    private static int Checked(int maxKeys)
        => maxKeys > 0
            ? maxKeys
            : throw new PostriderException(
                PostriderError.Configuration, $"IdempotencyOptions.MaxKeys of {typeof(TRequest)} is {maxKeys}; it must be at least 1.");

    private void RemoveExpired()
    {
        var now = _time.GetUtcNow();
        while (_expiring.TryPeek(out var oldest) && oldest.Until <= now)
            _answers.Remove(_expiring.Dequeue().Key);
    }

    private sealed record FirstCall(TaskCompletionSource<TResponse> Response, FirstCall? Outer);
}
