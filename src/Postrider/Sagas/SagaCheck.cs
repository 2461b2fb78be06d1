using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Postrider.Sagas;

/// <summary>Reports wrong options and a missing store when the host starts.</summary>
internal sealed class SagaCheck(SagaOptions options, IServiceProvider services) : IHostedService
{
    public Task StartAsync(CancellationToken cancellationToken)
    {
        options.Validate();
        using var scope = services.CreateScope();
        _ = SagaServiceCollectionExtensions.StoreOf(scope.ServiceProvider);
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
