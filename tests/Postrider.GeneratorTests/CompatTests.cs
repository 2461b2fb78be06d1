namespace Postrider.GeneratorTests;

public sealed class CompatTests
{
    [Fact]
    public async Task Code_written_for_MediatR_runs_after_changing_the_using()
    {
        var user = UserProject.Compile("""
            using Postrider.Compat.MediatR;
            public static class Program { public static void Main() { } }
            public static class Log { public static readonly List<string> Lines = new(); }
            public record Ping(string Text) : Postrider.Compat.MediatR.IRequest<string>;
            public class PingHandler : Postrider.Compat.MediatR.IRequestHandler<Ping, string> { public Task<string> Handle(Ping request, CancellationToken cancellationToken) => Task.FromResult(request.Text + " pong"); }
            public class Fire : IRequest { }
            public class FireHandler : IRequestHandler<Fire> { public async Task Handle(Fire request, CancellationToken cancellationToken) { await Task.Yield(); Log.Lines.Add("fired"); } }
            public record Said(string Text) : Postrider.Compat.MediatR.INotification;
            public class SaidHandler : Postrider.Compat.MediatR.INotificationHandler<Said> { public Task Handle(Said n, CancellationToken cancellationToken) { Log.Lines.Add(n.Text); return Task.CompletedTask; } }
            public record Items : Postrider.Compat.MediatR.IStreamRequest<int>;
            public class ItemsHandler : Postrider.Compat.MediatR.IStreamRequestHandler<Items, int> { public async IAsyncEnumerable<int> Handle(Items r, [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken ct) { await Task.Yield(); yield return 5; } }
            public class Logging<TRequest, TResponse> : IPipelineBehavior<TRequest, TResponse> where TRequest : notnull
            { public async Task<TResponse> Handle(TRequest request, RequestHandlerDelegate<TResponse> next, CancellationToken ct) { Log.Lines.Add("<" + typeof(TRequest).Name); var r = await next(); Log.Lines.Add(">"); return r; } }
            public class Before<TRequest> : IRequestPreProcessor<TRequest> where TRequest : notnull { public Task Process(TRequest r, CancellationToken ct) { Log.Lines.Add("pre"); return Task.CompletedTask; } }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection()
                        .AddMediatR(c => c.RegisterServicesFromAssembly(typeof(Ping).Assembly).AddOpenBehavior(typeof(Logging<,>)).AddOpenRequestPreProcessor(typeof(Before<>)))
                        .BuildServiceProvider(true);
                    await using var scope = provider.CreateAsyncScope();
                    var mediator = scope.ServiceProvider.GetRequiredService<IMediator>();
                    Log.Lines.Add(await mediator.Send(new Ping("ping")));
                    await mediator.Send(new Fire());
                    Log.Lines.Add((await mediator.Send((object)new Ping("object")))!.ToString()!);
                    await mediator.Publish(new Said("hello"));
                    await foreach (var i in mediator.CreateStream(new Items())) Log.Lines.Add(i.ToString());
                    return string.Join(" ", Log.Lines);
                }
            }
            """, withCompat: true);

        var log = await user.Run();

        Assert.Equal("pre <Ping > ping pong pre <Fire fired > pre <Ping > object pong hello 5", log);
    }
}
