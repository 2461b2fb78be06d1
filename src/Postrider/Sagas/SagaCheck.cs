using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Postrider.Sagas;

/// <summary>Reports wrong options and a missing store when the host starts.</summary>
internal sealed class SagaCheck(SagaOptions options, IServiceProvider services) : IHostedService
{
    public async Task StartAsync(CancellationToken cancellationToken)
    {
        options.Validate();
        var scope = services.CreateAsyncScope();
        await using (scope.ConfigureAwait(false))
            _ = SagaServiceCollectionExtensions.StoreOf(scope.ServiceProvider);
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
