using System.Runtime.CompilerServices;
using Postrider.Benchmarks.Dispatch;

namespace Peers.Wolverine;

// Wolverine compiles its adapters at run time: they can name public types only.
#pragma warning disable CA1034, CA1724

/// <summary>Messages, handlers and middleware.</summary>
public static class WolverineTypes
{
    public sealed record Do(int Id);

    public sealed record Ask(int Id);

    public sealed record AskPiped(int Id);

    public sealed record AskSlowly(int Id);

    public sealed record Count(int To);

    public sealed record Told2(int Id);

    public sealed record Told3(int Id);

    public sealed class Handlers
    {
        public static Task Handle(Do command) => Done();

        public static Task<int> Handle(Ask query)
        {
            Proof.Hit();
            return Task.FromResult(query.Id);
        }

        public static Task<int> Handle(AskPiped query)
        {
            Proof.Hit();
            return Task.FromResult(query.Id);
        }

        public static async Task<int> Handle(AskSlowly query)
        {
            await Task.Yield();
            Proof.Hit();
            return query.Id;
        }

        public static async IAsyncEnumerable<int> Handle(Count query, [EnumeratorCancellation] CancellationToken cancellation)
        {
            Proof.Hit();
            for (var i = 0; i < query.To; i++)
            {
                await default(ValueTask);
                yield return i;
            }
        }
    }

    public sealed class FirstHeard
    {
        public static Task Handle(Told2 note) => Done();

        public static Task Handle(Told3 note) => Done();
    }

    public sealed class SecondHeard
    {
        public static Task Handle(Told2 note) => Done();

        public static Task Handle(Told3 note) => Done();
    }

    public sealed class ThirdHeard
    {
        public static Task Handle(Told3 note) => Done();
    }

    public sealed class FirstMiddleware
    {
        public static Task BeforeAsync(AskPiped query) => Done();
    }

    public sealed class SecondMiddleware
    {
        public static Task BeforeAsync(AskPiped query) => Done();
    }

    public sealed class ThirdMiddleware
    {
        public static Task BeforeAsync(AskPiped query) => Done();
    }

    private static Task Done()
    {
        Proof.Hit();
        return Task.CompletedTask;
    }
}
