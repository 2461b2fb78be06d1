using System.Runtime.CompilerServices;
using Postrider.Rpc;

namespace Postrider.HostingTests.Rpc;

/// <summary>An implementation that has a service of the call's scope.</summary>
internal sealed class Ledger(Books books, CallScope scope) : ILedger
{
    public ValueTask<int> AddAsync(int amount, CancellationToken ct = default) => new(books.Add(scope, amount));

    public ValueTask<string> WhoAsync(CallContext? context = null)
        => new(context?.User?.Identity?.Name ?? context?.Headers["caller"] ?? (string?)context?.Items.FirstOrDefault(static item => item.Key is "caller").Value ?? "nobody");

    public ValueTask<string?> RemarkAsync(string? text) => new(text);

    public ValueTask FailAsync()
    {
        books.Add(scope, 0);
        throw new InvalidOperationException("The ledger is closed.");
    }

    public async IAsyncEnumerable<int> CountAsync(int last, [EnumeratorCancellation] CancellationToken ct = default)
    {
        books.Add(scope, 0);
        for (var i = 1; i <= last; i++)
        {
            await Task.Yield();
            yield return scope.IsDisposed ? -i : i;
        }
    }

    public ValueTask<int> SecretAsync() => new(42);

    public async IAsyncEnumerable<int> AuditAsync([EnumeratorCancellation] CancellationToken ct = default)
    {
        await Task.Yield();
        yield return 7;
    }
}

/// <summary>What all calls share: a singleton.</summary>
internal sealed class Books
{
    private readonly Lock _gate = new(); // guards what follows
    private readonly List<CallScope> _scopes = [];
    private int _sum;

    public IReadOnlyList<CallScope> Scopes
    {
        get
        {
            lock (_gate)
                return [.. _scopes];
        }
    }

    public int Add(CallScope scope, int amount)
    {
        lock (_gate)
        {
            _scopes.Add(scope);
            return _sum += amount;
        }
    }
}

/// <summary>A scoped service that notes its end.</summary>
internal sealed class CallScope : IAsyncDisposable
{
    private readonly TaskCompletionSource _disposed = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public bool IsDisposed => _disposed.Task.IsCompleted;

    public Task Disposed => _disposed.Task;

    public ValueTask DisposeAsync()
    {
        _disposed.SetResult();
        return default;
    }
}
