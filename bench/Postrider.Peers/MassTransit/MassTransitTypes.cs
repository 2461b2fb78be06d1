using MassTransit;
using Postrider.Benchmarks.Dispatch;

namespace Peers.MassTransit;

#pragma warning disable CA1034

/// <summary>Messages, consumers and filters.</summary>
public static class MassTransitTypes
{
    public sealed record Do(int Id);

    public sealed record Ask(int Id);

    public sealed record AskPiped(int Id);

    public sealed record AskSlowly(int Id);

    public sealed record Answer(int Value);

    public sealed record Told2(int Id);

    public sealed record Told3(int Id);

    public sealed class DoConsumer : IConsumer<Do>
    {
        public Task Consume(ConsumeContext<Do> context) => Done();
    }

    public sealed class AskConsumer : IConsumer<Ask>, IConsumer<AskPiped>, IConsumer<AskSlowly>
    {
        public Task Consume(ConsumeContext<Ask> context)
        {
            Proof.Hit();
            return context.RespondAsync(new Answer(context.Message.Id));
        }

        public Task Consume(ConsumeContext<AskPiped> context)
        {
            Proof.Hit();
            return context.RespondAsync(new Answer(context.Message.Id));
        }

        public async Task Consume(ConsumeContext<AskSlowly> context)
        {
            await Task.Yield();
            Proof.Hit();
            await context.RespondAsync(new Answer(context.Message.Id)).ConfigureAwait(false);
        }
    }

    public sealed class FirstHeard : IConsumer<Told2>, IConsumer<Told3>
    {
        public Task Consume(ConsumeContext<Told2> context) => Done();

        public Task Consume(ConsumeContext<Told3> context) => Done();
    }

    public sealed class SecondHeard : IConsumer<Told2>, IConsumer<Told3>
    {
        public Task Consume(ConsumeContext<Told2> context) => Done();

        public Task Consume(ConsumeContext<Told3> context) => Done();
    }

    public sealed class ThirdHeard : IConsumer<Told3>
    {
        public Task Consume(ConsumeContext<Told3> context) => Done();
    }

    public sealed class FirstFilter<T> : PassingFilter<T>
        where T : class;

    public sealed class SecondFilter<T> : PassingFilter<T>
        where T : class;

    public sealed class ThirdFilter<T> : PassingFilter<T>
        where T : class;

    public abstract class PassingFilter<T> : IFilter<ConsumeContext<T>>
        where T : class
    {
        public async Task Send(ConsumeContext<T> context, IPipe<ConsumeContext<T>> next)
        {
            Proof.Hit();
            await next.Send(context).ConfigureAwait(false);
        }

        public void Probe(ProbeContext context)
        {
        }
    }

    private static Task Done()
    {
        Proof.Hit();
        return Task.CompletedTask;
    }
}
