using System.Globalization;
using Postrider.Benchmarks.Dispatch;

namespace Peers.Excalibur;

#pragma warning disable CA1812 // found by reflection

internal sealed class ExcaliburProgram : IColdProgram
{
    public string Subject => ExcaliburPeer.Name;

    public IReadOnlyList<string> References =>
        ["Excalibur.Dispatch.dll", "Excalibur.Dispatch.Abstractions.dll", "Medo.Uuid7.dll", "Cronos.dll", "CloudNative.CloudEvents.dll"];

    public IReadOnlyList<string> Analyzers => [];

    public int MostTypes => 1000;

    public string Usings => """
        using Excalibur.Dispatch;
        using Excalibur.Dispatch.Delivery;
        """;

    public string MessageType => "Message";

    public string Start(int count) => """
        var services = new ServiceCollection().AddLogging();
        services.AddDispatch();
        Message.AddAll(services);
        var provider = services.BuildServiceProvider();
        var dispatcher = provider.GetRequiredService<IDispatcher>();
        var contexts = provider.GetRequiredService<IMessageContextFactory>();
        ValueTask<int> ask(Message message) => message.Send(dispatcher, contexts);
        """;

    // Its dispatch takes the message's exact type: each message sends itself, as a caller that knows it would.
    public string Declare(int n) => (n > 0 ? "" : """
        public abstract record Message
        {
            public abstract ValueTask<int> Send(IDispatcher dispatcher, IMessageContextFactory contexts);
            protected static async ValueTask<int> Send<T>(T message, IDispatcher dispatcher, IMessageContextFactory contexts) where T : IDispatchAction<int>
            {
                var context = contexts.CreateContext();
                var result = await dispatcher.DispatchAsync<T, int>(message, context, CancellationToken.None).ConfigureAwait(false);
                contexts.Return(context);
                return result.ReturnValue;
            }
            public static void AddAll(IServiceCollection services)
            {
                foreach (var type in typeof(Message).Assembly.GetTypes())
                    foreach (var contract in type.GetInterfaces())
                        if (contract.IsGenericType && contract.GetGenericTypeDefinition() == typeof(IActionHandler<,>))
                            services.AddTransient(contract, type).AddTransient(type);
            }
        }

        """) + string.Create(CultureInfo.InvariantCulture, $$"""
        public sealed record M{{n}} : Message, IDispatchAction<int> { public override ValueTask<int> Send(IDispatcher dispatcher, IMessageContextFactory contexts) => Send(this, dispatcher, contexts); }
        public sealed class H{{n}} : IActionHandler<M{{n}}, int> { public Task<int> HandleAsync(M{{n}} m, CancellationToken ct) => Task.FromResult({{n}}); }
        """);
}
