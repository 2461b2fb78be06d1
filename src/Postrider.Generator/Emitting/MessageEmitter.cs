using System.Collections.Generic;
using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Postrider.Generator.Model;
using Postrider.Generators;

namespace Postrider.Generator.Emitting;

/// <summary>Writes the call by its type id into every partial message.</summary>
internal static class MessageEmitter
{
    internal static void Emit(SourceProductionContext output, ImmutableArray<PartialMessageModel> messages)
    {
        if (messages.IsDefaultOrEmpty)
            return;

        var source = new SourceWriter();
        foreach (var message in messages)
        {
            output.CancellationToken.ThrowIfCancellationRequested();
            Emit(source, message);
        }

        output.AddSource("Postrider.Messages.g.cs", source.ToText());
    }

    private static void Emit(SourceWriter source, PartialMessageModel message)
    {
        var blocks = new Stack<System.IDisposable>();
        if (message.Namespace.Length > 0)
            blocks.Push(source.Block("namespace " + message.Namespace));
        for (var i = 0; i < message.Declarations.Count - 1; i++)
            blocks.Push(source.Block(message.Declarations[i]));

        var name = message.Type.Full;
        var (contract, returns, typeId, byType) = message.Kind switch
        {
            MessageKind.Notification => (
                "global::Postrider.INotification", "global::System.Threading.Tasks.ValueTask", $"PublishByTypeId<{name}>", "PublishByType"),
            MessageKind.Stream => (
                $"global::Postrider.IStreamRequest<{message.Response}>",
                $"global::System.Collections.Generic.IAsyncEnumerable<{message.Response}>",
                $"StreamByTypeId<{name}, {message.Response}>", $"StreamByType<{message.Response}>"),
            _ => (
                $"global::Postrider.IRequest<{message.Response}>",
                $"global::System.Threading.Tasks.ValueTask<{message.Response}>",
                $"SendByTypeId<{name}, {message.Response}>", $"SendByType<{message.Response}>"),
        };
        var call = $"target.{typeId}(this, global::Postrider.MessageTypeId<{name}>.Value, ct)";
        if (!message.Type.IsSealed)
            call = $"GetType() == typeof({name}) ? {call} : target.{byType}(this, ct)";
        using (source.Block(message.Declarations[message.Declarations.Count - 1] + " : " + contract))
        {
            source.Line($"{returns} {contract}.DispatchTo(global::Postrider.DispatcherCore target, global::System.Threading.CancellationToken ct)");
            source.Line($"    => {call};");
        }

        while (blocks.Count > 0)
            blocks.Pop().Dispose();
    }
}
