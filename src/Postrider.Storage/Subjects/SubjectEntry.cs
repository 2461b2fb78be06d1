using System.Runtime.InteropServices;

namespace Postrider.Storage.Subjects;

/// <summary>One subject in a <see cref="SubjectTable"/>: 32 bytes.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct SubjectEntry
{
    /// <summary>The offset of its bytes.</summary>
    public uint KeyOffset;

    /// <summary>The number of its bytes.</summary>
    public ushort KeyLength;

    /// <summary>True when the oldest message was removed: <see cref="First"/> is then only a lower bound.</summary>
    public bool FirstIsBound;

    /// <summary>The number of messages with this subject.</summary>
    public long Count;

    /// <summary>Sequence of the oldest message, see <see cref="FirstIsBound"/>.</summary>
    public ulong First;

    /// <summary>Sequence of the newest message.</summary>
    public ulong Last;
}
