namespace Postrider.Benchmarks.Dispatch;

/// <summary>The text of a program with many message types, for one subject.</summary>
internal interface IColdProgram
{
    /// <summary>Who is measured.</summary>
    string Subject { get; }

    /// <summary>What is special about its handlers, for the row's name; such a program is only started. Empty for its usual ones.</summary>
    string Handlers => "";

    /// <summary>Assemblies beside the benchmarks' own that the program refers to.</summary>
    IReadOnlyList<string> References { get; }

    /// <summary>Generators that it is compiled with.</summary>
    IReadOnlyList<string> Analyzers { get; }

    /// <summary>How many message types are tried; more would take minutes.</summary>
    int MostTypes { get; }

    /// <summary>Using directives.</summary>
    string Usings { get; }

    /// <summary>Statements that make <c>ask</c>, a <c>Func&lt;TMessage, ValueTask&lt;int&gt;&gt;</c> for messages of <see cref="MessageType"/>.</summary>
    string Start(int count);

    /// <summary>The type of the messages as the caller sees them.</summary>
    string MessageType { get; }

    /// <summary>The declarations of the n-th message and its handler, which answers with n.</summary>
    string Declare(int n);
}
