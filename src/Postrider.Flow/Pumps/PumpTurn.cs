namespace Postrider.Flow.Pumps;

/// <summary>What a pump does after it looked for work.</summary>
internal enum PumpTurn
{
    /// <summary>Run the chunk.</summary>
    Run,

    /// <summary>Look again.</summary>
    Again,

    /// <summary>Return: slot and reference are gone.</summary>
    Left,
}
