using Microsoft.Extensions.DependencyInjection;
using Postrider.Rpc;
using Postrider.Rpc.Hosting;

namespace Postrider.HostingTests.Rpc;

/// <summary>What an implementation receives is the same with a scope of the container and without one.</summary>
public sealed class ObjectGraphTests
{
    [Theory]
    [InlineData(ServiceLifetime.Scoped, false)]
    [InlineData(ServiceLifetime.Transient, false)]
    [InlineData(ServiceLifetime.Scoped, true)]
    [InlineData(ServiceLifetime.Transient, true)]
    public async Task Scoped_objects_are_shared_within_a_call_and_transient_ones_never(ServiceLifetime lifetime, bool withFactory)
    {
        await using var services = Container<Parts>(lifetime, withFactory ? static provider => new ScopedPart(provider.GetRequiredService<PartNumbers>()) : null);
        var parts = Client(services);

        var (first, second) = (await parts.NumbersAsync(), await parts.NumbersAsync());

        Assert.Equal(first[0], first[1]);
        Assert.Equal(second[0], second[1]);
        Assert.Equal(6, first.Concat(second).Distinct().Count());
    }

    [Fact]
    public async Task Objects_that_the_implementation_looks_up_itself_are_those_of_its_constructor()
    {
        await using var services = Container<LocatedParts>();

        var numbers = await Client(services).NumbersAsync();

        Assert.Equal(numbers[0], numbers[1]);
        Assert.Equal(3, numbers.Distinct().Count());
    }

    [Fact]
    public async Task Services_of_the_context_provide_the_objects_of_the_constructor()
    {
        await using var services = Container<Parts>();
        var parts = Client(services);

        for (var i = 0; i < 3; i++)
        {
            _ = await parts.NumbersAsync();
            var numbers = await parts.ScopedNumbersAsync(new CallContext());
            Assert.Equal(numbers[0], numbers[1]);
        }
    }

    [Fact]
    public async Task Provider_that_decorates_the_container_is_asked_for_each_call()
    {
        await using var services = Container<Parts>();
        var parts = Client(new ReplacingProvider(services, new Parts(
            new ScopedPart(new PartNumbers()) { Number = -1 },
            new PartsHolder(new ScopedPart(new PartNumbers()) { Number = -2 }, new TransientPart(new PartNumbers())),
            new TransientPart(new PartNumbers()),
            Microsoft.Extensions.Logging.Abstractions.NullLogger<Parts>.Instance)));

        var numbers = await parts.NumbersAsync();

        Assert.Equal([-1, -2, 1, 1], numbers);
    }

    [Fact]
    public async Task Circular_dependency_fails_with_the_words_of_the_container()
    {
        var collection = new ServiceCollection().AddScoped<CircularPart>();
        collection.AddRpcService<IParts, CircularParts>();
        await using var services = collection.BuildServiceProvider();
        var parts = new PartsClient(new InProcessChannel(new InProcessChannelOptions { EnableDetailedErrors = true }, RpcServedContracts.Get<IParts>(services)));

        var failure = await Assert.ThrowsAsync<RpcException>(async () => await parts.NumbersAsync());

        Assert.Contains("circular dependency", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Call_without_a_scope_allocates_only_its_objects()
    {
        await using var services = Container<Parts>();
        var parts = Client(services);
        for (var i = 0; i < 2_000; i++)
            _ = await parts.NumbersAsync();

        // Every call completes at once, on this thread.
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < 1_000; i++)
            _ = await parts.NumbersAsync();
        var bytes = (GC.GetAllocatedBytesForCurrentThread() - before) / 1_000.0;

        // The implementation (48), its four objects (3 x 24 and 32), and the four numbers (40).
        Assert.InRange(bytes, 1, 192);
    }

    private static ServiceProvider Container<TParts>(ServiceLifetime lifetime = ServiceLifetime.Scoped, Func<IServiceProvider, ScopedPart>? factory = null)
        where TParts : class, IParts
    {
        var services = new ServiceCollection();
        services.AddLogging().AddSingleton<PartNumbers>().AddTransient<TransientPart>().AddScoped<PartsHolder>();
        if (factory is null)
            services.AddScoped<ScopedPart>();
        else
            services.AddScoped(factory);
        services.AddRpcService<IParts, TParts>(lifetime);
        return services.BuildServiceProvider(new ServiceProviderOptions { ValidateScopes = true });
    }

    private static PartsClient Client(IServiceProvider services) => new(new InProcessChannel(RpcServedContracts.Get<IParts>(services)));

    private sealed class ReplacingProvider(IServiceProvider services, IParts parts) : IServiceProvider, IServiceScopeFactory, IServiceScope
    {
        public IServiceProvider ServiceProvider => this;

        public object? GetService(Type serviceType)
            => serviceType == typeof(IServiceScopeFactory) ? this : serviceType == typeof(IParts) ? parts : services.GetService(serviceType);

        public IServiceScope CreateScope() => this;

        public void Dispose()
        {
        }
    }
}
