using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Postrider.Generator.Model;

namespace Postrider.Generator.Emitting;

/// <summary>Writes what calls through <c>IDispatcher</c> become: a check of the dispatcher's class, then the typed way; any
/// other dispatcher (a double, a decorator) is called as written.</summary>
internal static class InterceptorEmitter
{
    private const string Tasks = "global::System.Threading.Tasks.";

    internal static void Emit(SourceProductionContext output, ImmutableArray<CallSiteModel> calls, InterceptorTargets targets)
    {
        if (calls.IsDefaultOrEmpty)
            return;

        var source = new Source();
        using (source.Block("namespace System.Runtime.CompilerServices"))
        {
            source.Line("[global::System.AttributeUsage(global::System.AttributeTargets.Method, AllowMultiple = true)]");
            source.Line("file sealed class InterceptsLocationAttribute(int version, string data) : global::System.Attribute;");
        }

        using (source.Block("namespace Postrider.Generated"))
        using (source.Block("file static class Interceptors"))
        {
            var index = 0;
            foreach (var group in calls.GroupBy(c => (c.Kind, c.Message, c.Response)))
            {
                foreach (var call in group)
                    source.Line(call.Location);
                Emit(source, group.First(), index++, targets);
            }
        }

        output.AddSource("Postrider.Interceptors.g.cs", source.ToString());
    }

    private static void Emit(Source source, CallSiteModel call, int index, InterceptorTargets targets)
    {
        var (parameter, returns, method, slot) = call.Kind switch
        {
            MessageKind.Notification => (
                "global::Postrider.INotification", Tasks + "ValueTask", "PublishAsync", $"PublishBySlot<{call.Message}>"),
            MessageKind.Stream => (
                $"global::Postrider.IStreamRequest<{call.Response}>",
                $"global::System.Collections.Generic.IAsyncEnumerable<{call.Response}>", "StreamAsync",
                $"StreamBySlot<{call.Message}, {call.Response}>"),
            MessageKind.Command => (
                "global::Postrider.ICommand", Tasks + "ValueTask", "SendAsync", $"SendBySlot<{call.Message}, {call.Response}>"),
            _ => (
                $"global::Postrider.IRequest<{call.Response}>", $"{Tasks}ValueTask<{call.Response}>", "SendAsync",
                $"SendBySlot<{call.Message}, {call.Response}>"),
        };
        var entry = targets.Direct.Contains(call.Message);
        var dispatcher = targets.IsHost ? "global::Postrider.Generated.AppDispatcher" : "global::Postrider.Dispatcher";
        var isOurs = targets.IsHost
            ? $"dispatcher.GetType() == typeof({dispatcher})"
            : $"dispatcher is {dispatcher}";
        var message = $"global::System.Runtime.CompilerServices.Unsafe.As<{call.Message}>(message)";
        var target = $"global::System.Runtime.CompilerServices.Unsafe.As<{dispatcher}>(dispatcher)";
        var sent = entry
            ? $"{target}.Direct({message}, ct)"
            : $"{target}.{slot}({message}, global::Postrider.MessageSlot<{call.Message}>.Index, ct)";
        if (!entry && call.Kind == MessageKind.Command)
            sent = $"global::Postrider.Dispatch.CallState.FromUnit({sent})";
        if (!call.IsSealed)
            isOurs += $" && message.GetType() == typeof({call.Message})";
        source.Line($"internal static {returns} Call{index}(this global::Postrider.IDispatcher dispatcher, {parameter} message, global::System.Threading.CancellationToken ct)");
        source.Line($"    => {isOurs} ? {sent} : dispatcher.{method}(message, ct);");
    }
}
