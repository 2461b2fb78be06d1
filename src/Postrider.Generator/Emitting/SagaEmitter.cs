using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Postrider.Generator.Model;
using Postrider.Generators;

namespace Postrider.Generator.Emitting;

/// <summary>Writes, for each saga, the methods that its messages' pipelines call.</summary>
internal static class SagaEmitter
{
    internal static void Emit(SourceProductionContext output, ImmutableArray<SagaModel> sagas)
    {
        if (sagas.IsDefaultOrEmpty)
            return;

        var source = new SourceWriter();
        using (source.Generated())
        {
            source.Line("using _X = global::Postrider.Sagas;");
            foreach (var saga in sagas.OrderBy(s => s.Full, System.StringComparer.Ordinal))
            {
                output.CancellationToken.ThrowIfCancellationRequested();
                using (source.Block($"internal static class {saga.Generated}"))
                {
                    for (var i = 0; i < saga.Methods.Count; i++)
                        Emit(source, saga, saga.Methods[i], i);
                }
            }
        }

        output.AddSource("Postrider.Sagas.g.cs", source.ToText());
    }

    private static void Emit(SourceWriter source, SagaModel saga, SagaMethodModel method, int index)
    {
        var message = method.Handler.Message.Full;
        var id = method.Id.Length > 0 ? $"static message => {method.Id}" : "null";
        source.Line($"private static readonly _X::SagaHandler<{saga.Full}, {message}> s_handler{index} = new _X::SagaHandler<{saga.Full}, {message}>(_X::SagaRole.{method.Role}, static () => new {saga.Full}(), {id});");
        var services = string.Concat(method.Services.Select((type, i) => $", {type} service{i}"));
        source.Line($"internal static _T::ValueTask Handle{index}({message} message, _P::MessageContext context, _S::IServiceProvider services, _C ct{services})");
        var call = $"saga.{method.Method}({string.Join(", ", method.Arguments)})";
        var body = method.Shape switch
        {
            ResultShape.ValueTask => call,
            ResultShape.Task => $"new _T::ValueTask({call})",
            _ => $"{{ {call}; return default; }}",
        };
        source.Line($"    => s_handler{index}.HandleAsync(message, context, (saga, view, stop) => {body}, ct);");
    }
}
