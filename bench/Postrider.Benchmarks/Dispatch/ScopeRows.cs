using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Benchmarks.Dispatch;

#pragma warning disable CA1812 // found by reflection

internal sealed class TransientInScope : OurRow
{
    public override string Row => "query, transient handler, scope made";

    public override double? MostShareOverBare => 0.05;

    public override double? TargetBytes => 184;

    public override void Run(int operations)
    {
        var dispatcher = Dispatcher;
        var sum = 0L;
        for (var i = 0; i < operations; i++)
            sum += Value(dispatcher.SendAsync(new InTransient(i)));
        Sink += sum;
    }
}

internal sealed class TransientInScopeBare : BareScopeRow
{
    public override string Row => "query, transient handler, scope made";

    public override void Setup()
    {
        var services = new ServiceCollection().AddSingleton<Dependency>().AddTransient<InTransientHandler>();
        Scopes = services.BuildServiceProvider().GetRequiredService<IServiceScopeFactory>();
    }

    public override void Run(int operations)
    {
        for (var i = 0; i < operations; i++)
        {
            using var scope = Scopes.CreateScope();
            Sink += scope.ServiceProvider.GetRequiredService<InTransientHandler>().Handle(new InTransient(i), default).Result;
        }
    }
}

internal sealed class ScopedInScope : OurRow
{
    public override string Row => "query, scoped handler, scope made";

    public override double? MostNanosecondsOverBare => 10;

    public override bool AllocatesAsBare => true;

    public override void Run(int operations)
    {
        var dispatcher = Dispatcher;
        var sum = 0L;
        for (var i = 0; i < operations; i++)
            sum += Value(dispatcher.SendAsync(new InScope(i)));
        Sink += sum;
    }
}

internal sealed class ScopedInScopeBare : BareScopeRow
{
    public override string Row => "query, scoped handler, scope made";

    public override void Setup()
    {
        var services = new ServiceCollection().AddSingleton<Dependency>().AddScoped<InScopeHandler>();
        Scopes = services.BuildServiceProvider().GetRequiredService<IServiceScopeFactory>();
    }

    public override void Run(int operations)
    {
        for (var i = 0; i < operations; i++)
        {
            using var scope = Scopes.CreateScope();
            Sink += scope.ServiceProvider.GetRequiredService<InScopeHandler>().Handle(new InScope(i), default).Result;
        }
    }
}

internal abstract class BareScopeRow : BenchRow
{
    public override string Subject => "bare";

    protected IServiceScopeFactory Scopes { get; set; } = null!;
}

internal sealed class ScopeReused : OurRow
{
    private IDispatcher _bound = null!;

    public override string Row => "query, scoped handler, scope reused";

    public override void Setup()
    {
        base.Setup();
        _bound = Provider.CreateScope().ServiceProvider.GetRequiredService<IDispatcher>();
    }

    public override void Run(int operations)
    {
        var dispatcher = _bound;
        var sum = 0L;
        for (var i = 0; i < operations; i++)
            sum += Value(dispatcher.SendAsync(new InScope(i)));
        Sink += sum;
    }
}

internal sealed class ServiceSingleton : OurRow
{
    public override string Row => "query, singleton handler with a service";

    public override RowLimit? Limit => new(LimitRow.InterfaceCall, 1);

    public override double? TargetBytes => 24;

    public override void Run(int operations)
    {
        var dispatcher = Dispatcher;
        var sum = 0L;
        for (var i = 0; i < operations; i++)
            sum += Value(dispatcher.SendAsync(new WithService(i)));
        Sink += sum;
    }
}

internal sealed class TransientAlone : OurRow
{
    public override string Row => "query, transient handler, no scope";

    public override double? TargetBytes => 48;

    public override void Run(int operations)
    {
        var dispatcher = Dispatcher;
        var sum = 0L;
        for (var i = 0; i < operations; i++)
            sum += Value(dispatcher.SendAsync(new WithState(i)));
        Sink += sum;
    }
}

internal sealed class ContextMade : OurRow
{
    public override string Row => "query, context made and returned";

    public override double? TargetBytes => 24;

    public override void Run(int operations)
    {
        var dispatcher = Dispatcher;
        var sum = 0L;
        for (var i = 0; i < operations; i++)
            sum += Value(dispatcher.SendAsync(new WithContext(i)));
        Sink += sum;
    }
}

internal sealed class ActivationByDispatcher : OurRow
{
    private IDispatcher _bound = null!;

    public override string Row => "handler activation and invocation alone";

    public override void Setup()
    {
        base.Setup();
        _bound = Provider.CreateScope().ServiceProvider.GetRequiredService<IDispatcher>();
    }

    public override void Run(int operations)
    {
        var dispatcher = _bound;
        var sum = 0L;
        for (var i = 0; i < operations; i++)
            sum += Value(dispatcher.SendAsync(new InTransient(i)));
        Sink += sum;
    }
}

internal sealed class Activation : OurRow
{
    private IServiceScope _scope = null!;

    public override string Row => "handler activation and invocation alone";

    public override string Subject => "bare";

    public override void Setup()
    {
        base.Setup();
        _scope = Provider.CreateScope();
    }

    public override void Run(int operations)
    {
        var services = _scope.ServiceProvider;
        var sum = 0L;
        for (var i = 0; i < operations; i++)
            sum += Value(new InTransientHandler(services.GetRequiredService<Dependency>()).Handle(new InTransient(i), default));
        Sink += sum;
    }
}
