using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Dispatch;

/// <summary>The entry of a stream that needs a scope or a context: both live as long as the enumeration.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TItem">The type of the items.</typeparam>
internal sealed class ScopedStreamPipeline<TRequest, TItem>(
    StreamPipeline<TRequest, TItem> first, IServiceProvider root, IServiceScopeFactory? scopes, bool withContext, ScopeUse use)
    : StreamPipeline<TRequest, TItem>
    where TRequest : notnull
{
    public override IAsyncEnumerable<TItem> Invoke(TRequest request, object? state, CancellationToken ct)
        => state is CallOrigin { Services: { } services } surrounding && !withContext
            ? first.Invoke(request, use == ScopeUse.Services ? services : surrounding.Handlers, ct) // the surrounding scope outlives the enumeration: nothing to wrap
            : new Items(this, request, state as CallOrigin, ct);

    private IServiceScope? MakeScope() => scopes?.CreateScope();

    private IAsyncEnumerator<TItem> Begin(
        TRequest request, CallOrigin? origin, IServiceScope? scope, ref MessageContext? context, CancellationToken ct)
    {
        var services = origin?.Services ?? scope?.ServiceProvider ?? root;
        if (withContext)
        {
            context = ContextPool.Rent();
            context.Begin(origin, services, ct);
        }

        object handed = context is not null ? context
            : use == ScopeUse.Services ? services
            : origin is { Services: not null } ? origin.Handlers
            : use == ScopeUse.Several ? new HandlerScope(services)
            : services;
        return first.Invoke(request, handed, ct).GetAsyncEnumerator(ct);
    }

    // Written by hand instead of as an iterator: the handler's own tasks are passed through, so that an item costs a call and no state machine.
    private sealed class Items(
        ScopedStreamPipeline<TRequest, TItem> pipeline, TRequest request, CallOrigin? origin, CancellationToken ct)
        : IAsyncEnumerable<TItem>, IAsyncEnumerator<TItem>
    {
        private readonly CancellationToken _callers = ct;
        private CancellationToken _enumerations;
        private CancellationTokenSource? _either;
        private IAsyncEnumerator<TItem>? _items;
        private IServiceScope? _scope;
        private MessageContext? _context;
        private int _isTaken; // 1 once this object is an enumerator
        private bool _hasEnded;

        public TItem Current => _items is { } items ? items.Current : default!;

        public IAsyncEnumerator<TItem> GetAsyncEnumerator(CancellationToken cancellationToken = default)
        {
            // The first enumeration uses this object itself; any other has its own scope.
            var taken = Interlocked.Exchange(ref _isTaken, 1) == 0
                ? this
                : new Items(pipeline, request, origin, _callers) { _isTaken = 1 };
            taken._enumerations = cancellationToken;
            return taken;
        }

        public ValueTask<bool> MoveNextAsync()
            => _items is { } items ? items.MoveNextAsync() : _hasEnded ? new(false) : Begin().MoveNextAsync();

        public ValueTask DisposeAsync()
        {
            if (_hasEnded)
                return default;

            _hasEnded = true;
            return End();
        }

        // A failure here is disposed by the enumerating code, like a later one.
        private IAsyncEnumerator<TItem> Begin()
        {
            if (origin?.Services is null)
                _scope = pipeline.MakeScope();
            return _items = pipeline.Begin(request, origin, _scope, ref _context, Both());
        }

        private CancellationToken Both()
        {
            if (!_enumerations.CanBeCanceled || _enumerations == _callers)
                return _callers;
            if (!_callers.CanBeCanceled)
                return _enumerations;

            _either = CancellationTokenSource.CreateLinkedTokenSource(_callers, _enumerations);
            return _either.Token;
        }

        private async ValueTask End()
        {
            try
            {
                if (_items is not null)
                    await _items.DisposeAsync().ConfigureAwait(false);
            }
            finally
            {
                _either?.Dispose();
                if (_context is not null)
                    ContextPool.Return(_context);
                if (_scope is not null)
                    await ScopeEnd.DisposeAsync(_scope).ConfigureAwait(false);
            }
        }
    }
}
