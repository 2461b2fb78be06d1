using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Sagas;

/// <summary>Reads the states of sagas, to show their progress.</summary>
/// <remarks>A singleton that <c>AddPostriderSagas</c> registers. Thread-safe.</remarks>
public sealed class SagaStates
{
    private readonly IServiceScopeFactory _scopes;
    private readonly SagaRuntime _runtime;

    internal SagaStates(IServiceScopeFactory scopes, SagaRuntime runtime) => (_scopes, _runtime) = (scopes, runtime);

    /// <summary>Reads the state of a saga.</summary>
    /// <typeparam name="TSaga">The class.</typeparam>
    /// <param name="id">The id.</param>
    /// <param name="ct">Cancels the read.</param>
    /// <returns>A copy of the last committed state; null if there is no saga with this id, or if it has ended.</returns>
    public async ValueTask<TSaga?> FindAsync<TSaga>(string id, CancellationToken ct = default)
        where TSaga : class
    {
        var record = await ReadAsync<TSaga>(id, ct).ConfigureAwait(false);
        return record is null or { IsCompleted: true } ? null : _runtime.TypeOf<TSaga>().Read(record);
    }

    /// <summary>Whether a saga has ended.</summary>
    /// <typeparam name="TSaga">The class.</typeparam>
    /// <param name="id">The id.</param>
    /// <param name="ct">Cancels the read.</param>
    /// <returns>False if it is running, was never started, or ended longer than <see cref="SagaOptions.KeepFor"/> ago.</returns>
    public async ValueTask<bool> IsCompletedAsync<TSaga>(string id, CancellationToken ct = default)
        where TSaga : class
        => await ReadAsync<TSaga>(id, ct).ConfigureAwait(false) is { IsCompleted: true };

    private async ValueTask<SagaRecord?> ReadAsync<TSaga>(string id, CancellationToken ct)
        where TSaga : class
    {
        ArgumentException.ThrowIfNullOrEmpty(id);
        var name = _runtime.TypeOf<TSaga>().Name;
        var scope = _scopes.CreateAsyncScope();
        await using (scope.ConfigureAwait(false))
        {
            var stored = await SagaServiceCollectionExtensions.StoreOf(scope.ServiceProvider).LoadAsync(name, id, ct).ConfigureAwait(false);
            return stored is null ? null : SagaRecordFormat.Read(stored.Data, name, id);
        }
    }
}
