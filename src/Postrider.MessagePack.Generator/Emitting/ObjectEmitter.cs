using System.Collections.Generic;
using System.Linq;
using System.Text;
using Postrider.Generators;
using Postrider.MessagePack.Generator.Model;

namespace Postrider.MessagePack.Generator.Emitting;

/// <summary>Writes the formatter of an object: one call a member.</summary>
internal static class ObjectEmitter
{
    private const string Library = ContextEmitter.Library;
    private const int BitsOfWord = 64;

    internal static void Emit(SourceWriter source, ObjectModel model)
    {
        source.Line();
        using (source.Block($"private readonly struct {model.Formatter} : {Library}IMessagePackFormatter<{model.Type}>"))
        {
            Write(source, model);
            source.Line();
            Read(source, model);
            if (model.IsNamed)
            {
                source.Line();
                Find(source, model);
            }

            for (var i = 0; i < model.Members.Count; i++)
            {
                if (model.Members[i].Setting == Setting.Accessor)
                    Accessor(source, model, i);
            }
        }
    }

    private static void Write(SourceWriter source, ObjectModel model)
    {
        using (source.Block($"public void Write(ref {Library}MessagePackWriter writer, {model.Type} value)"))
        {
            if (!model.IsValueType)
                source.Line("if (value is null) { writer.WriteNil(); return; }");
            source.Line(model.IsNamed ? $"writer.WriteMapHeader({model.Members.Count});" : $"writer.WriteArrayHeader({Length(model)});");
            source.Line("writer.Descend();");
            var next = 0;
            foreach (var member in model.Members)
            {
                if (model.IsNamed)
                    source.Line($"writer.WriteRaw([{WireKey.Bytes(member.Key ?? member.Name)}]);");
                for (; !model.IsNamed && next < member.Index; next++)
                    source.Line("writer.WriteNil();");
                source.Line($"default({member.Formatter}).Write(ref writer, value.{member.Name});");
                next++;
            }

            source.Line("writer.Ascend();");
        }
    }

    private static void Read(SourceWriter source, ObjectModel model)
    {
        using (source.Block($"public {model.Type} Read(ref {Library}MessagePackReader reader)"))
        {
            if (!model.IsValueType)
                source.Line("if (reader.TryReadNil()) return default;");
            source.Line($"var count = reader.{(model.IsNamed ? "ReadMapHeader" : "ReadArrayHeader")}();");
            source.Line("reader.Descend();");
            var later = model.Members.Any(m => m.Setting is Setting.Argument or Setting.Initializer);
            for (var i = 0; later && i < model.Members.Count; i++)
            {
                if (model.Members[i].Setting != Setting.Never)
                    source.Line($"{model.Members[i].Type} m{i} = default;");
            }

            if (!later)
                source.Line($"var result = new {model.Type}();");
            if (model.IsNamed)
                ReadNamed(source, model, later);
            else
                ReadIndexed(source, model, later);
            source.Line("reader.Ascend();");
            if (later)
                Make(source, model);
            source.Line("return result;");
        }
    }

    private static void ReadIndexed(SourceWriter source, ObjectModel model, bool later)
    {
        var next = 0;
        for (var i = 0; i < model.Members.Count; i++)
        {
            for (; next < model.Members[i].Index; next++)
                source.Line($"if (count > {next}) reader.Skip();");
            source.Line($"if (count > {next}) {Take(model, i, later)}");
            next++;
        }

        source.Line($"if (count > {next}) reader.Skip(count - {next});");
    }

    private static void ReadNamed(SourceWriter source, ObjectModel model, bool later)
    {
        for (var word = 0; word * BitsOfWord < model.Members.Count; word++)
            source.Line($"ulong seen{word} = 0;");
        using (source.Block("for (; count > 0; count--)"))
        {
            source.Line("var start = reader.Consumed;");
            using (source.Block("switch (Find(reader.ReadStringSpan()))"))
            {
                for (var i = 0; i < model.Members.Count; i++)
                {
                    source.Line($"case {i}: {Library}Formatters.FormatterChecks.CheckDuplicate(ref seen{i / BitsOfWord}, {i % BitsOfWord}, start); {Take(model, i, later)} break;");
                }

                source.Line("default: reader.Skip(); break;");
            }
        }
    }

    private static string Take(ObjectModel model, int i, bool later)
    {
        var member = model.Members[i];
        var value = $"default({member.Formatter}).Read(ref reader)";
        return member.Setting == Setting.Never ? "reader.Skip();"
            : later ? $"m{i} = {value};"
            : Set(model, i, value);
    }

    private static void Make(SourceWriter source, ObjectModel model)
    {
        var arguments = string.Join(", ", model.Parameters.Select(p => "m" + p));
        var initial = new List<string>();
        for (var i = 0; i < model.Members.Count; i++)
        {
            if (model.Members[i].Setting == Setting.Initializer)
                initial.Add($"{model.Members[i].Name} = m{i}");
        }

        source.Line($"var result = new {model.Type}({arguments}){(initial.Count > 0 ? $" {{ {string.Join(", ", initial)} }}" : "")};");

        // A missing member keeps the default value of the type.
        for (var i = 0; i < model.Members.Count; i++)
        {
            var member = model.Members[i];
            if (member.Setting is not (Setting.Assignment or Setting.Accessor))
                continue;
            var isThere = model.IsNamed ? $"(seen{i / BitsOfWord} & {1UL << (i % BitsOfWord)}UL) != 0" : $"count > {member.Index}";
            source.Line($"if ({isThere}) {Set(model, i, "m" + i)}");
        }
    }

    private static string Set(ObjectModel model, int i, string value)
        => model.Members[i].Setting == Setting.Accessor
            ? $"Set{i}({(model.IsValueType ? "ref " : "")}result, {value});"
            : $"result.{model.Members[i].Name} = {value};";

    /// <summary>Finds the number of a member by its name: by length first, then by bytes.</summary>
    private static void Find(SourceWriter source, ObjectModel model)
    {
        using (source.Block("private static int Find(global::System.ReadOnlySpan<byte> name)"))
        using (source.Block("switch (name.Length)"))
        {
            var names = model.Members.Select((m, i) => (Key: m.Key ?? m.Name, Number: i)).Select(n => (n.Key, n.Number, Length: Encoding.UTF8.GetByteCount(n.Key)));
            foreach (var group in names.GroupBy(n => n.Length).OrderBy(g => g.Key))
            {
                source.Line($"case {group.Key}:");
                foreach (var (key, number, _) in group)
                    source.Line($"    if (global::System.MemoryExtensions.SequenceEqual(name, {SymbolNames.Text(key)}u8)) return {number};");
                source.Line("    return -1;");
            }

            source.Line("default: return -1;");
        }
    }

    private static void Accessor(SourceWriter source, ObjectModel model, int i)
    {
        var member = model.Members[i];
        source.Line();
        source.Line($"[global::System.Runtime.CompilerServices.UnsafeAccessor(global::System.Runtime.CompilerServices.UnsafeAccessorKind.Method, Name = {SymbolNames.Text("set_" + member.Name.TrimStart('@'))})]");
        source.Line($"private static extern void Set{i}({(model.IsValueType ? "ref " : "")}{member.Owner} target, {member.Type} value);");
    }

    private static int Length(ObjectModel model) => model.Members.Count == 0 ? 0 : model.Members.Max(m => m.Index) + 1;
}
